// SPDX-License-Identifier: MIT
//
// The models that the tests of this room go through: four with random weights, and the demo model.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/model.hpp"

namespace hlg::test {

struct TestModel {
    std::string name;
    std::size_t vocabulary = 0;
    std::string architecture;
    bool random = true;  ///< made with weights that mean nothing, so that its entropy could be chosen
};

/** Its name, where GoogleTest speaks of it. */
std::ostream& operator<<(std::ostream& out, const TestModel& model);

/** All of them. */
std::vector<TestModel> test_models();

/** A test's name may only have letters, digits and underscores. */
std::string test_name(const testing::TestParamInfo<TestModel>& info);

/** Loads the model; a failure is the test's. */
engine::Model load(const TestModel& model);

}  // namespace hlg::test
