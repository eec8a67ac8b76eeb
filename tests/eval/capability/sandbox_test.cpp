// What programs can and can't do: each rule of the sandbox is tried by a program that breaks it.
#include "eval/capability/sandbox.hpp"

#include <chrono>
#include <cstdlib>

#include <gtest/gtest.h>

#include "eval/capability/call_filter.hpp"
#include "eval/capability/process.hpp"
#include "eval/capability/sandbox_fixture.hpp"

namespace hlg::eval::capability {
namespace {

class SandboxTest : public testing::Test {
protected:
    void SetUp() override { HLG_SKIP_WITHOUT_SANDBOX(made_); }

    [[nodiscard]] bool passes(const std::string& program) const { return made_.sandbox->run(program).passed; }
    [[nodiscard]] std::string said(const std::string& program) const { return made_.sandbox->run(program).said; }

    MaybeSandbox made_{{.seconds = 3, .bytes = std::size_t{256} << 20U}};
};

TEST_F(SandboxTest, PassesWhatRunsToItsEnd) {
    EXPECT_TRUE(passes("assert 1 + 1 == 2\nprint('x' * 100000)"));
    EXPECT_TRUE(passes("import math, re, json, collections, itertools, hashlib, random, string, sys, typing"));
    EXPECT_TRUE(passes("import threading\nt = threading.Thread(target=lambda: None)\nt.start()\nt.join()"));
    EXPECT_EQ(said("assert 1 + 1 == 3, 'no'"), "AssertionError: no");
    EXPECT_NE(said("def f(:").find("SyntaxError"), std::string::npos);
}

TEST_F(SandboxTest, EndingEarlyIsNotPassing) {
    EXPECT_FALSE(passes("import sys\nsys.exit(0)"));
    EXPECT_FALSE(passes("import os\nos._exit(0)"));
    EXPECT_EQ(said("import os\nos._exit(3)"), "ended early, with status 3");
    EXPECT_FALSE(passes("import os\nos.close(1)"));
}

TEST_F(SandboxTest, TimeIsBounded) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(said("import time\ntime.sleep(60)"), "took longer than 3 s");
    EXPECT_NE(said("while True: pass").find("took longer than 3 s"), std::string::npos);
    EXPECT_EQ(said("import os, time\nos.close(1)\nos.close(2)\ntime.sleep(60)").substr(0, 5), "took ");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
}

TEST_F(SandboxTest, MemoryIsBounded) {
    EXPECT_EQ(said("x = bytearray(300 << 20)"), "MemoryError");
    EXPECT_TRUE(passes("x = bytearray(50 << 20)"));
    EXPECT_FALSE(passes("with open('/tmp/x', 'wb') as file:\n    for i in range(100): file.write(bytes(1 << 20))"));
    EXPECT_FALSE(passes("for i in range(100):\n    with open(f'/tmp/{i}', 'wb') as file: file.write(bytes(1 << 20))"));
}

TEST_F(SandboxTest, NoOtherProcess) {
    EXPECT_EQ(said("import os\nos.fork()"), "PermissionError: [Errno 1] Operation not permitted");
    EXPECT_FALSE(passes("import subprocess\nsubprocess.run(['/bin/true'])"));
    EXPECT_FALSE(passes("import os\nos.posix_spawn('/bin/true', ['true'], {})"));
    EXPECT_FALSE(passes("import os\nos.kill(-1, 9)\nassert len([p for p in os.listdir('/proc') if p.isdigit()]) > 2"));
}

TEST_F(SandboxTest, NoNetworkNoFiles) {
    EXPECT_FALSE(passes("import socket\nsocket.create_connection(('127.0.0.1', 22), 1)"));
    EXPECT_EQ(said("import socket\ns = socket.socket()\ns.settimeout(1)\ns.connect(('192.0.2.1', 80))"),
              "OSError: [Errno 101] Network is unreachable");
    EXPECT_FALSE(passes("open('/etc/passwd')"));
    EXPECT_FALSE(passes("open('/usr/x', 'w')"));
    EXPECT_FALSE(passes("open('/x', 'w')"));
    EXPECT_FALSE(passes("open('/dev/shm/x', 'w')"));
    EXPECT_FALSE(passes("import os\nos.listdir('" + std::string(std::getenv("HOME") ? std::getenv("HOME") : "/home") + "')"));
    EXPECT_TRUE(passes("open('/tmp/x', 'w').write('x')\nassert open('/tmp/x').read() == 'x'"));
    EXPECT_TRUE(passes("import os\nassert not os.path.exists('/tmp/x') and not os.environ.get('HOME') and os.getuid() != 0"));
    EXPECT_FALSE(passes("open('/program.py', 'a')"));
}

TEST(Sandbox, SaysWhatIsMissing) {
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    const MaybeSandbox none{{}};
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(none.missing, "bwrap is not there: install bubblewrap and python3");
}

TEST(RunProcess, GivesFilesAndKeepsTheEndOfOutput) {
    std::vector<Descriptor> files;
    files.push_back(memory_file("three"));
    files.push_back(memory_file("four"));
    const ProcessEnd end = run_process({"/bin/sh", "-c", "cat <&3; cat <&4 >&2; cat"}, files, {});
    EXPECT_EQ(end.output, "three");
    EXPECT_EQ(end.errors, "four");
    EXPECT_EQ(end.status, 0);
    const ProcessEnd much = run_process({"/bin/sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x; printf end"}, {}, {});
    EXPECT_EQ(much.output.size(), 4096U);
    EXPECT_EQ(much.output.substr(4093), "end");
    EXPECT_NE(run_process({"/nowhere/program"}, {}, {}).status, 0);
    EXPECT_TRUE(run_process({"/bin/sh", "-c", "sleep 20"}, {}, {.deadline = std::chrono::seconds(1)}).late);
}

}  // namespace
}  // namespace hlg::eval::capability
