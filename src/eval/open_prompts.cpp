// SPDX-License-Identifier: MIT
#include "eval/open_prompts.hpp"

#include <array>

namespace hlg::eval {
namespace {

// Written in threes of a kind; the first of each three is for development.
constexpr std::array<std::string_view, 20> development{
    "Once upon a time there was a tailor who had nothing left but a thimble and",
    "The fox came to the edge of the wood, looked at the henhouse and",
    "When the ship had been nine days without wind, the captain",
    "\"Who is knocking so late?\" asked the miller's wife.",
    "The door at the end of the passage had never been opened, until one evening",
    "It had rained for a week, and the children in the kitchen",
    "My grandmother used to say that a good soup needs",
    "The princess would marry only the man who could",
    "Deep under the hill the dwarfs were making",
    "The road to the city was long, and on the way the two friends",
    "\"Dear brother,\" the letter began, \"since you went away",
    "The teacher asked the class what they would do if",
    "Nobody in the market knew what the stranger was selling, because",
    "When the moon fell into the pond, the frogs",
    "The judge listened to both of them and then decided that",
    "The horse spoke for the first time on the day when",
    "The bridge would hold, said the builder, as long as",
    "The queen had a mirror that showed her not her face but",
    "What the boy liked best about his uncle's farm was",
    "After the war the men of the valley came home and",
};

constexpr std::array<std::string_view, 40> held_out{
    "In a village below the mountain lived a widow whose goat could",
    "There was once a young king who was afraid of",
    "An old hare told her children that the first rule of the meadow was",
    "The raven had found something bright in the snow, and when he picked it up,",
    "The boat was so small that only two of the brothers could go, so",
    "On the last island of all there stood a house, and in it",
    "\"I will tell you a secret,\" said the smallest of the sisters, \"but",
    "\"Give me back what you took from me,\" cried the giant, and",
    "Behind the clock there was a little stair, which led",
    "The key fitted no lock in the whole castle, and yet",
    "The winter was so cold that year that",
    "One summer morning, before anybody was awake,",
    "For the feast they brought out of the cellar",
    "The baker had put something into the bread that made everyone",
    "The soldier asked for no gold as his reward; he wanted",
    "Three times the prince rode to the well, and the third time",
    "In the hollow tree the fairies had hidden",
    "The dragon was not as big as people said, but",
    "At the crossroads stood a stone on which was written:",
    "He had walked until it was dark when he saw a light, and it was",
    "The messenger brought a letter with a black seal. In it",
    "She wrote her name on a leaf and gave it to the wind, and",
    "On his first day at school the boy found under his desk",
    "The new girl could do something that none of the others could:",
    "The merchant opened his box, and out of it came",
    "For a single penny the old woman sold him",
    "Every night the stars above the lighthouse",
    "The sun was jealous of the little lamp, for",
    "The thief was caught at last, but when they asked him why he had done it,",
    "In that country there was a strange law:",
    "The cat had served the family for seven years, and now she wanted",
    "There lived in our barn an owl who",
    "They had dug for three days when the spade struck",
    "The machine that the old clockmaker had built could",
    "The music was so sad that even",
    "In her dream she stood in a garden where",
    "The three of them made a plan: first they would",
    "If you ever meet a troll, the first thing to do is",
    "The well in the courtyard had been dry for years. One day",
    "And so it was that the youngest, whom everyone had laughed at,",
};

}  // namespace

std::span<const std::string_view> development_prompts() noexcept { return development; }

std::span<const std::string_view> held_out_prompts() noexcept { return held_out; }

}  // namespace hlg::eval
