package dev.millrace.tuning.nexmark;

import java.util.Map;
import java.util.function.Function;

/** The hand-written loop of each query, by name. */
public final class QueryBaselines
{
    private static final long WINDOW_NS = 10 * QueryBaseline.SECOND_NS;

    private static final Map<String, Function<NexmarkData, QueryBaseline>> ALL = Map.ofEntries(
        Map.entry("q0", data -> new RowBaselines.Copy(data, false)),
        Map.entry("q1", data -> new RowBaselines.Copy(data, true)),
        Map.entry("q2", RowBaselines.Selection::new),
        Map.entry("q2b", RowBaselines.Selection::new),
        Map.entry("q3", JoinBaselines.LocalItems::new),
        Map.entry("q4", data -> new AuctionBaselines.CategoryMean(data, 0)),
        Map.entry("q4w", data -> new AuctionBaselines.CategoryMean(data, WINDOW_NS)),
        Map.entry("q5", TickBaselines.HotItems::new),
        Map.entry("q5ge", TickBaselines.HotItems::new),
        Map.entry("q6", AuctionBaselines.SellerMean::new),
        Map.entry("q7", TickBaselines.HighestBid::new),
        Map.entry("q8", TickBaselines.NewSellers::new),
        Map.entry("q9", AuctionBaselines.Winner::new),
        Map.entry("q10", RowBaselines.Dates::new),
        Map.entry("q11", PatternBaselines.Sessions::new),
        Map.entry("q12", TickBaselines.Counts::new),
        Map.entry("q13", RowBaselines.SideInput::new),
        Map.entry("q14", RowBaselines.Calculation::new),
        Map.entry("q15", data -> new KeyBaselines.Statistics(data, false)),
        Map.entry("q16", data -> new KeyBaselines.Statistics(data, true)),
        Map.entry("q17", KeyBaselines.AuctionStatistics::new),
        Map.entry("q18", KeyBaselines.LastBid::new),
        Map.entry("q19", KeyBaselines.TopBids::new),
        Map.entry("q20", JoinBaselines.BidsOfCategory::new),
        Map.entry("q21", RowBaselines.ChannelNumber::new),
        Map.entry("q22", RowBaselines.Directories::new),
        Map.entry("x1join", JoinBaselines.BidsAndAuctions::new),
        Map.entry("x2avg", data -> new WindowBaselines.ChannelSums(data, 0, true)),
        Map.entry("x3prows", KeyBaselines.LastMean::new),
        Map.entry("x4distinct", WindowBaselines.DistinctBidders::new),
        Map.entry("x5in", data -> new SetBaselines.Combination(data, SetBaselines.Operation.IN)),
        Map.entry("x6top", WindowBaselines.TopOfSecond::new),
        Map.entry("x7except", data -> new SetBaselines.Combination(data, SetBaselines.Operation.EXCEPT)),
        Map.entry("x7union", data -> new SetBaselines.Combination(data, SetBaselines.Operation.UNION)),
        Map.entry("x8w", PatternBaselines.Shape::new),
        Map.entry("x9three", JoinBaselines.BidsAuctionsAndPersons::new),
        Map.entry("x10outer", JoinBaselines.BidsWithOrWithoutAuction::new),
        Map.entry("x11minmax", WindowBaselines.Extremes::new),
        Map.entry("x12slide", TickBaselines.Slide::new),
        Map.entry("x13dist", WindowBaselines.Bidders::new),
        Map.entry("lr1seg", RoadBaselines.Cars::new),
        Map.entry("lr2lav", RoadBaselines.Speeds::new),
        Map.entry("lr4stop", RoadBaselines.Stopped::new),
        Map.entry("h1having", data -> new WindowBaselines.ChannelSums(data, 5, false)),
        Map.entry("h2follow", PatternBaselines.Follow::new));

    private QueryBaselines()
    {
    }

    /**
     * Creates the loop of a query, in its initial state.
     *
     * @param query its name
     * @param data  to read
     */
    public static QueryBaseline of(final String query, final NexmarkData data)
    {
        return ALL.get(query).apply(data);
    }
}
