// A pass of `fit` beside a pass of other programs over the same rows, and how many test rows each gets wrong.
#include <algorithm>
#include <cstdio>

#include "bars.h"
#include "peers.h"

namespace bench {
namespace {

double percent_wrong(const Learner& learner, const Data& test) {
    sl_error error;
    double rate;
    check(sl_model_evaluate(learner.handle, test.handle, "error_rate", &rate, &error), error);
    return 100 * rate;
}

std::string said(const std::string& name, double wrong) {
    char text[32];
    std::snprintf(text, sizeof text, ", %.2f %% wrong", wrong);
    return name + text;
}

void beside_peers(Table& table, const std::string& name, const Matrix& all, size_t test_rows) {
    constexpr double l2 = 1e-5;
    const Matrix train = rows_of(all, 0, all.rows() - test_rows), test = rows_of(all, all.rows() - test_rows, test_rows);
    const Data data(train), test_data(test);
    const Learner learner({{"l2", "1e-5"}, {"scale", "none"}, {"sampling", "sequential"}, {"storage", "dense"}});  // as all others have
    learner.fit(data);
    const double one_pass = percent_wrong(learner, test_data);
    learner.fit(data);
    const double two_passes = percent_wrong(learner, test_data);
    Peers peers;
    double ours = 1e300;
    for (int round = 0; round < (table.quick() ? 1 : 3); ++round) {
        ours = std::min(ours, table.race(train.nonzeros(), {[&] { learner.fit(data); }})[0]);
        Peers again = run_peers(train, test, l2);
        for (size_t p = 0; p < std::min(peers.found.size(), again.found.size()); ++p)
            again.found[p].ns = std::min(again.found[p].ns, peers.found[p].ns);
        peers = again;
    }
    table.add(said(name + ", sparselin, 1 pass", one_pass), ours, ours, 0);
    table.add(said(name + ", sparselin, 2 passes", two_passes), ours, ours, 0);
    for (const Peer& peer : peers.found) table.add(said(name + ", " + peer.name, peer.wrong), peer.ns, ours, 0);
    for (const std::string& missing : peers.missing) table.note(name, missing.c_str());
}

}  // namespace

void peer_lines(Table& table) {
    table.heading("Peers: one pass over rows in memory, beside ours; log loss but for -s 3");
    beside_peers(table, "r100", words(table.rows(125000), 47236, 75.7, 1), table.rows(25000));
    beside_peers(table, "m200", words(table.rows(220000), 260941, 88.5, 4), table.rows(20000));
}

}  // namespace bench
