package dev.millrace.tuning.nexmark;

import java.util.Map;
import java.util.function.Function;

/** The hand-written loop of each query, by name. */
public final class HandLoops
{
    private static final long WINDOW_NS = 10 * HandLoop.SECOND_NS;

    private static final Map<String, Function<NexmarkData, HandLoop>> ALL = Map.ofEntries(
        Map.entry("q0", data -> new RowLoops.Copy(data, false)),
        Map.entry("q1", data -> new RowLoops.Copy(data, true)),
        Map.entry("q2", RowLoops.Selection::new),
        Map.entry("q2b", RowLoops.Selection::new),
        Map.entry("q3", JoinLoops.LocalItems::new),
        Map.entry("q4", data -> new AuctionLoops.CategoryMean(data, 0)),
        Map.entry("q4w", data -> new AuctionLoops.CategoryMean(data, WINDOW_NS)),
        Map.entry("q5", TickLoops.HotItems::new),
        Map.entry("q5ge", TickLoops.HotItems::new),
        Map.entry("q6", AuctionLoops.SellerMean::new),
        Map.entry("q7", TickLoops.HighestBid::new),
        Map.entry("q8", TickLoops.NewSellers::new),
        Map.entry("q9", AuctionLoops.Winner::new),
        Map.entry("q10", RowLoops.Dates::new),
        Map.entry("q11", PatternLoops.Sessions::new),
        Map.entry("q12", TickLoops.Counts::new),
        Map.entry("q13", RowLoops.SideInput::new),
        Map.entry("q14", RowLoops.Calculation::new),
        Map.entry("q15", data -> new KeyLoops.Statistics(data, false)),
        Map.entry("q16", data -> new KeyLoops.Statistics(data, true)),
        Map.entry("q17", KeyLoops.AuctionStatistics::new),
        Map.entry("q18", KeyLoops.LastBid::new),
        Map.entry("q19", KeyLoops.TopBids::new),
        Map.entry("q20", JoinLoops.BidsOfCategory::new),
        Map.entry("q21", RowLoops.ChannelNumber::new),
        Map.entry("q22", RowLoops.Directories::new),
        Map.entry("x1join", JoinLoops.BidsAndAuctions::new),
        Map.entry("x2avg", data -> new WindowLoops.ChannelSums(data, 0, true)),
        Map.entry("x3prows", KeyLoops.LastMean::new),
        Map.entry("x4distinct", WindowLoops.DistinctBidders::new),
        Map.entry("x5in", data -> new SetLoops.Combination(data, SetLoops.Operation.IN)),
        Map.entry("x6top", WindowLoops.TopOfSecond::new),
        Map.entry("x7except", data -> new SetLoops.Combination(data, SetLoops.Operation.EXCEPT)),
        Map.entry("x7union", data -> new SetLoops.Combination(data, SetLoops.Operation.UNION)),
        Map.entry("x8w", PatternLoops.Shape::new),
        Map.entry("x9three", JoinLoops.BidsAuctionsAndPersons::new),
        Map.entry("x10outer", JoinLoops.BidsWithOrWithoutAuction::new),
        Map.entry("x11minmax", WindowLoops.Extremes::new),
        Map.entry("x12slide", TickLoops.Slide::new),
        Map.entry("x13dist", WindowLoops.Bidders::new),
        Map.entry("lr1seg", RoadLoops.Cars::new),
        Map.entry("lr2lav", RoadLoops.Speeds::new),
        Map.entry("lr4stop", RoadLoops.Stopped::new),
        Map.entry("h1having", data -> new WindowLoops.ChannelSums(data, 5, false)),
        Map.entry("h2follow", PatternLoops.Follow::new));

    private HandLoops()
    {
    }

    /**
     * Creates the loop of a query, in its initial state.
     *
     * @param query its name
     * @param data  to read
     */
    public static HandLoop of(final String query, final NexmarkData data)
    {
        return ALL.get(query).apply(data);
    }
}
