// SPDX-License-Identifier: MIT
#include "eval/judged_columns.hpp"

#include <utility>

namespace hlg::eval {

std::vector<Column> with_judged(std::vector<Column> columns) {
    const std::vector<Column> judged{
        {"price", "price", "nats", 3, "mean surprisal beyond temperature's at the same mean entropy", true},
        {"collision", "collision", "", 3, "sum of q^2 on open contexts, times temperature's", true},
        {"open_top1", "open top-1", "", 3, "mean top-1 mass on open contexts", true},
        {"mid", "mid top-1", "", 3, "change of the top-1 mass on mid contexts", true},
        {"slip", "slip", "", 3, "mass off the top one on confident contexts", true},
        {"tail", "deep tail", "", 3, "p < 1e-4 outside the 0.99 nucleus, times temperature's", true}};
    columns.insert(columns.end(), judged.begin(), judged.end());
    return columns;
}

void put_judged(Json& row, const Judged& judged) {
    for (const auto& [key, interval] :
         {std::pair("price", judged.price), std::pair("collision", judged.collision), std::pair("open_top1", judged.open_top1),
          std::pair("mid", judged.mid), std::pair("slip", judged.slip), std::pair("tail", judged.tail)})
        Table::put(row, key, interval);
}

}  // namespace hlg::eval
