// Against the standard's own examples.
#include "eval/sha256.hpp"

#include <string_view>

#include <gtest/gtest.h>

namespace hlg::eval {
namespace {

std::span<const unsigned char> bytes_of(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

std::string digest_of(std::string_view text) {
    Sha256 sum;
    sum.add(bytes_of(text));
    return sum.digest();
}

TEST(Sha256, KnownAnswers) {
    EXPECT_EQ(digest_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(digest_of(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole) {
    const std::string text(300, 'x');
    for (std::size_t cut = 0; cut <= text.size(); cut += 7) {
        Sha256 sum;
        sum.add(bytes_of(std::string_view(text).substr(0, cut)));
        sum.add(bytes_of(std::string_view(text).substr(cut)));
        EXPECT_EQ(sum.digest(), digest_of(text));
    }
}

}  // namespace
}  // namespace hlg::eval
