package dev.millrace.tuning.harness;

/** A workload of events in full batches: engine and hand-written baseline get the same ones. Not thread-safe. */
public class BatchWorkload implements Workload
{
    private final BatchFeeder engine;
    private final BatchFeeder limit;
    private final String javaText;

    /**
     * @param engine   passes through the engine
     * @param limit    passes through the hand-written baseline
     * @param javaText generated source text
     */
    public BatchWorkload(final BatchFeeder engine, final BatchFeeder limit, final String javaText)
    {
        this.engine = engine;
        this.limit = limit;
        this.javaText = javaText;
    }

    @Override
    public final int events()
    {
        return engine.events();
    }

    @Override
    public final void runEngine()
    {
        engine.run();
    }

    @Override
    public final void runLimit()
    {
        limit.run();
    }

    @Override
    public final ResultChecksum engineTally()
    {
        return engine.tally();
    }

    @Override
    public final ResultChecksum limitTally()
    {
        return limit.tally();
    }

    @Override
    public final String javaText()
    {
        return javaText;
    }
}
