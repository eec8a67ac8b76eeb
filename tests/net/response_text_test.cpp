// SPDX-License-Identifier: MIT
#include "net/response_text.hpp"

#include <gtest/gtest.h>

namespace hlg::net {
namespace {

TEST(ResponseText, Head) {
    const api::Reply reply{.status = 404, .headers = {{"x-a", "b"}}, .body = "body"};
    const std::string text = head_text(reply, {{"x-c", "d"}}, Framing::length, true);
    EXPECT_EQ(text.find("HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 4\r\ndate: "), 0U);
    EXPECT_NE(text.find(" GMT\r\nx-a: b\r\nx-c: d\r\n\r\n"), std::string::npos);
    EXPECT_EQ(text.find("connection:"), std::string::npos);
}

TEST(ResponseText, FramingsAndClosing) {
    EXPECT_NE(head_text({}, {}, Framing::length, false).find("connection: close\r\n"), std::string::npos);
    const std::string chunks = head_text({}, {}, Framing::chunks, true);
    EXPECT_NE(chunks.find("transfer-encoding: chunked\r\n"), std::string::npos);
    EXPECT_EQ(chunks.find("content-length"), std::string::npos);
    EXPECT_NE(head_text({}, {}, Framing::close, true).find("connection: close\r\n"), std::string::npos);
    const std::string nothing = head_text({.status = 204}, {}, Framing::length, true);
    EXPECT_EQ(nothing.find("content-"), std::string::npos);
    EXPECT_EQ(chunk_text(std::string(26, 'x')), "1a\r\n" + std::string(26, 'x') + "\r\n");
}

TEST(ResponseText, ValuesCannotMakeHeaders) {
    const std::string text = head_text({}, {{"x-a", "b\r\nset-cookie: c\n\x7F\x01"}}, Framing::length, true);
    EXPECT_NE(text.find("x-a: b  set-cookie: c   \r\n"), std::string::npos);
}

}  // namespace
}  // namespace hlg::net
