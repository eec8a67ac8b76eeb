// SPDX-License-Identifier: MIT
//
// The one file that needs eigenvalues.
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "eval/text_measures.hpp"

namespace hlg::eval {

double vendi(std::span<const double> cosines) {
    const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(cosines.size()))));
    if (n == 0) return std::numeric_limits<double>::quiet_NaN();
    const Eigen::Map<const Eigen::MatrixXd> matrix(cosines.data(), n, n);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix / static_cast<double>(n), Eigen::EigenvaluesOnly);
    double entropy = 0.0;
    for (const double value : solver.eigenvalues())
        if (value > 0) entropy -= value * std::log(value);
    return std::exp(entropy);
}

}  // namespace hlg::eval
