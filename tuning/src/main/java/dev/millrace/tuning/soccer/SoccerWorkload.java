package dev.millrace.tuning.soccer;

import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.RowSum;
import dev.millrace.tuning.harness.Workload;
import java.util.List;
import java.util.function.Function;

/**
 * A query of the DEBS 2013 Grand Challenge over a match that is replayed at full speed, through a whole network, and a
 * baseline over the same batches. Both begin with full windows.
 */
public final class SoccerWorkload implements Workload
{
    private static final int SECONDS_A_MINUTE = 60;

    private final SoccerData data;
    private final SoccerNetwork network;
    private final SoccerReplay engineReplay;
    private final SoccerReplay limitReplay;
    private final ResultChecksum engineTally = new ResultChecksum();
    private final ResultChecksum limitTally = new ResultChecksum();

    /**
     * Deploys a query and fills its windows.
     *
     * @param query   q1 to q4
     * @param data    to replay
     * @param minutes of the match to play before anything is measured
     */
    SoccerWorkload(final String query, final SoccerData data, final int minutes)
    {
        this.data = data;
        network = new SoccerNetwork(query, id -> new RowSum(id, engineTally));
        engineReplay = new SoccerReplay(data, network.positionBatch(), network::send,
            network.hasInterruptions() ? network.interruptionBatch() : null, network::sendInterruptions);
        final SoccerBaseline limit = baseline(query, id -> new RowSum(id, limitTally));
        limitReplay = new SoccerReplay(data, network.positionBatch(), limit::onPositions,
            network.hasInterruptions() ? network.interruptionBatch() : null, limit::onInterruptions);
        final double passSeconds = data.lengthPs / 1e12;
        for (double played = 0; played < minutes * SECONDS_A_MINUTE; played += passSeconds)
        {
            runEngine();
            runLimit();
        }
    }

    /** With windows that are as full as they become; in the short form half full, which takes less time. */
    public static SoccerWorkload of(final String query, final BenchContext setting)
    {
        final int minutes = query.equals("q1") || query.equals("q2") ? 20 : query.equals("q3") ? 10 : 0;
        return new SoccerWorkload(query, new SoccerData(setting.seed(), 1 << 20), setting.isShort() ? 1 : minutes);
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
    public ResultChecksum engineTally()
    {
        return engineTally;
    }

    @Override
    public ResultChecksum limitTally()
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
    public void describe(final BenchResult result)
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

    /** The loop for a query. */
    private static SoccerBaseline baseline(final String query, final Function<String, RowSum> sinks)
    {
        return switch (query)
        {
            case "q1" -> new RunningAnalysisBaseline(sinks);
            case "q2" -> new PossessionBaseline(sinks);
            case "q3" -> new HeatMapBaseline(sinks);
            default -> new ShotBaseline(sinks);
        };
    }
}
