#include "sample/cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <sstream>

#include "support/reference.hpp"

namespace hlg::test {
namespace {

constexpr std::array kVocabularies{1U, 2U, 17U, 512U, 32000U, 151936U, 262144U};
constexpr std::array kShapes{Shape::certain, Shape::confident, Shape::open, Shape::flat};
constexpr std::array kTemperatures{0.1, 0.35, 0.7, 1.0, 1.6, 2.5, 5.0};

const char* to_string(Change change) {
    switch (change) {
        case Change::none: return "";
        case Change::top_banned: return "_top_banned";
        case Change::head_banned: return "_head_banned";
        case Change::tail_boosted: return "_tail_boosted";
        case Change::tail_lifted: return "_tail_lifted";
        case Change::one_left: return "_one_left";
        case Change::half_masked: return "_half_masked";
        case Change::allowed_mask: return "_allowed_mask";
        case Change::penalties: return "_penalties";
    }
    return "?";
}

// Token ids by shaped logit, best first.
std::vector<std::size_t> ranking(const Case& made) {
    const std::vector<float> shaped = reference(made.params, made.step()).shaped;
    std::vector<std::size_t> ids(shaped.size());
    std::iota(ids.begin(), ids.end(), 0U);
    std::stable_sort(ids.begin(), ids.end(), [&](auto a, auto b) { return shaped[a] > shaped[b]; });
    return ids;
}

Edit edit(std::size_t token, double delta) { return {static_cast<std::int32_t>(token), static_cast<float>(delta)}; }

// Everything that a cut at a mass of 1/V a token would keep, an eighth of the vocabulary left over in any case.
void ban_head(Case& made) {
    const Reference before = reference(made.params, made.step());
    const auto ids = ranking(made);
    const double depth = std::log(static_cast<double>(ids.size()));
    const auto distance = [&](std::size_t id) { return static_cast<double>(before.shaped[ids[0]] - before.shaped[id]); };
    for (std::size_t i = 0; i < ids.size() - ids.size() / 8 && distance(ids[i]) <= depth; ++i)
        made.edits.push_back(edit(ids[i], -off));
}

void allow_only(Case& made, const std::vector<std::size_t>& tokens) {
    made.allowed.assign((made.logits.size() + 31) / 32, 0);
    for (const std::size_t token : tokens) made.allowed[token / 32] |= 1U << (token % 32);
}

void mask_half(Case& made, Random& random) {
    const float masks[] = {-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::max(), -1e30F};
    for (std::size_t i = 1; i < made.logits.size(); ++i)
        if ((random.bits() & 1) != 0) made.logits[i] = masks[random.below(3)];
}

// What penalties of repetition do: many small changes, some tokens twice, the favourites among them, in no order.
void penalise(Case& made, Random& random) {
    const auto ids = ranking(made);
    for (std::size_t i = 0; i < 8; ++i) made.edits.push_back(edit(ids[i], -0.5 - 0.1 * static_cast<double>(i)));
    for (std::size_t i = 0; i < 200; ++i) made.edits.push_back(edit(random.below(ids.size()), random.uniform(-2, 2)));
}

void apply(Change change, Case& made, Random& random) {
    const auto last_and_best = [&] {
        const auto ids = ranking(made);
        return std::pair(ids.back(), ids.front());
    };
    switch (change) {
        case Change::none: break;
        case Change::top_banned: made.edits.push_back(edit(last_and_best().second, -off)); break;
        case Change::head_banned: ban_head(made); break;
        case Change::tail_boosted: made.edits.push_back(edit(last_and_best().first, 100)); break;
        case Change::tail_lifted: {
            // As high as the favourite, so that both are drawn often.
            const auto [last, best] = last_and_best();
            const Reference before = reference(made.params, made.step());
            made.edits.push_back(edit(last, static_cast<double>(before.value[best]) - static_cast<double>(before.value[last])));
            break;
        }
        case Change::one_left: {
            const std::size_t kept = random.below(made.logits.size());
            if (made.logits.size() > 1000) return allow_only(made, {kept});
            for (std::size_t i = 0; i < made.logits.size(); ++i)
                if (i != kept) made.edits.push_back(edit(i, -off));
            break;
        }
        case Change::half_masked: mask_half(made, random); break;
        case Change::allowed_mask: {
            std::vector<std::size_t> tokens;
            for (std::size_t i = 0; i < made.logits.size(); ++i)
                if (random.uniform() < 0.3) tokens.push_back(i);
            allow_only(made, tokens);
            break;
        }
        case Change::penalties: penalise(made, random); break;
    }
}

constexpr bool sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
    return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
    return false;
#endif
}

}  // namespace

const std::vector<CurveChoice>& curve_choices() {
    static const std::vector<CurveChoice> all{
        {"temperature", {}},
        {"top_log", CurveParams{Pivot::top, 6.0, 4, 4, 6, ToeShape::log}},
        {"top_fade", CurveParams{Pivot::top, 5.0, 1, 2, 2, ToeShape::fade}},
        {"entropy_log", CurveParams{Pivot::entropy, {}, 0.5, 1, 4, ToeShape::log}},
        {"entropy_fade", CurveParams{Pivot::entropy, 1.7, 1.6, 0.6, 2, ToeShape::fade}},
        {"median_log", CurveParams{Pivot::median, -1.0, 0, 0.7, 3, ToeShape::log}},
        {"median_fade", CurveParams{Pivot::median, 1.5, 1, 0.3, 1.2, ToeShape::fade}},
    };
    return all;
}

std::string Plan::name() const {
    std::ostringstream text;
    text << 'V' << vocab << '_' << hlg::test::to_string(shape) << '_' << curve_choices()[curve].name << "_T"
         << std::lround(temperature * 100) << to_string(change);
    return text.str();
}

Case make(const Plan& plan) {
    Case made;
    made.params.temperature = plan.temperature;
    made.params.hlg = curve_choices()[plan.curve].params;
    made.params.seed = 0x5EEDU + plan.vocab;
    made.logits = synthetic(plan.shape, plan.vocab, plan.vocab + 31 * static_cast<std::size_t>(plan.shape));
    Random random(plan.vocab + static_cast<std::size_t>(plan.change));
    apply(plan.change, made, random);
    return made;
}

std::vector<Plan> plain_plans() {
    std::vector<Plan> plans;
    for (std::size_t v = 0; v < kVocabularies.size(); ++v)
        for (std::size_t c = 0; c < curve_choices().size(); ++c)
            plans.push_back({kVocabularies[v], kShapes[(v + c) % kShapes.size()], c,
                             kTemperatures[(2 * v + 3 * c) % kTemperatures.size()], Change::none});
    // The vocabularies of today's models once more, other shapes and temperatures.
    for (const std::size_t v : {4U, 6U})
        for (std::size_t c = 0; c < curve_choices().size(); ++c)
            plans.push_back({kVocabularies[v], kShapes[(v + c + 2) % kShapes.size()], c,
                             kTemperatures[(2 * v + 3 * c + 4) % kTemperatures.size()], Change::none});
    return plans;
}

std::vector<Plan> changed_plans() {
    std::vector<Plan> plans;
    std::size_t turn = 0;
    for (const Change change : {Change::top_banned, Change::head_banned, Change::tail_boosted, Change::tail_lifted,
                                Change::one_left, Change::half_masked, Change::allowed_mask, Change::penalties})
        for (const std::size_t vocab : {512U, 32000U, 262144U}) {
            const Shape shape = turn % 2 == 0 ? Shape::confident : Shape::open;
            plans.push_back(
                {vocab, shape, turn % curve_choices().size(), kTemperatures[(turn * 2 + 3) % kTemperatures.size()], change});
            ++turn;
        }
    return plans;
}

std::size_t draws(std::size_t usual) {
    if (const char* wanted = std::getenv("HLG_TEST_DRAWS")) return static_cast<std::size_t>(std::strtoull(wanted, nullptr, 10));
    return sanitized() ? usual / 10 : usual;
}

}  // namespace hlg::test
