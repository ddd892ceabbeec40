package dev.millrace.tuning;

import java.util.List;

/**
 * A query of the DEBS 2013 Grand Challenge over a match that is replayed at full speed, through a whole network, and a
 * baseline over the same batches. Both begin with full windows.
 */
final class MatchWorkload implements Workload
{
    private static final int SECONDS_A_MINUTE = 60;

    private final MatchData data;
    private final MatchNetwork network;
    private final MatchReplay engineReplay;
    private final MatchReplay limitReplay;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();

    /**
     * Deploys a query and fills its windows.
     *
     * @param query   q1 to q4
     * @param data    to replay
     * @param minutes of the match to play before anything is measured
     */
    MatchWorkload(final String query, final MatchData data, final int minutes)
    {
        this.data = data;
        network = new MatchNetwork(query, id -> new RowSum(id, engineTally));
        engineReplay = new MatchReplay(data, network.positionBatch(), network::send,
            network.hasInterruptions() ? network.interruptionBatch() : null, network::sendInterruptions);
        final MatchLimit limit = MatchLimit.of(query, id -> new RowSum(id, limitTally));
        limitReplay = new MatchReplay(data, network.positionBatch(), limit::onPositions,
            network.hasInterruptions() ? network.interruptionBatch() : null, limit::onInterruptions);
        final double passSeconds = data.lengthPs / 1e12;
        for (double played = 0; played < minutes * SECONDS_A_MINUTE; played += passSeconds)
        {
            runEngine();
            runLimit();
        }
    }

    /** With windows that are as full as they become; in the short form half full, which takes less time. */
    static MatchWorkload of(final String query, final Setting setting)
    {
        final int minutes = query.equals("q1") || query.equals("q2") ? 20 : query.equals("q3") ? 10 : 0;
        return new MatchWorkload(query, new MatchData(setting.seed(), 1 << 20), setting.isShort() ? 1 : minutes);
    }

    @Override
    public int events()
    {
        return data.rows();
    }

    @Override
    public void runEngine()
    {
        engineReplay.play(data.rows());
        if (!network.helpers().isEmpty())
        {
            network.drain();
        }
    }

    @Override
    public void runLimit()
    {
        limitReplay.play(data.rows());
    }

    @Override
    public Tally engineTally()
    {
        return engineTally;
    }

    @Override
    public Tally limitTally()
    {
        return limitTally;
    }

    @Override
    public String javaText()
    {
        return "the match runs in three processors; see the statements instead";
    }

    @Override
    public List<Thread> helpers()
    {
        return network.helpers();
    }

    @Override
    public void describe(final Result result)
    {
        final double realNs = data.lengthPs / 1000.0 / data.rows();
        result.with("timesRealTime", realNs / result.nsPerEvent())
            .with("limitTimesRealTime", realNs / result.limitNsPerEvent())
            .with("threads", 1L + network.helpers().size());
    }

    @Override
    public void close()
    {
        network.close();
    }
}
