package dev.millrace.cql.runtime.flow;

/**
 * EVALUATE EVERY: changes are held back until the next multiple of the period and netted there.
 *
 * <p>Threads: the engine's.
 */
public final class EvaluateOperator extends FlowOperator
{
    /** So many changes wait as they came. */
    private static final int FEW = 1024;

    private final FlowOperator input;
    private final long periodNs;
    private Delta waiting;
    private Delta spare;
    private int netAt = FEW;
    private final Netting netting;

    /**
     * Makes an operator.
     *
     * @param input    relation
     * @param periodNs period
     */
    public EvaluateOperator(final FlowOperator input, final long periodNs)
    {
        super(input.store(), input);
        this.input = input;
        this.periodNs = periodNs;
        waiting = new Delta(input.store());
        spare = new Delta(input.store());
        netting = new Netting(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        // Changes of the beginning of time are seen there.
        final boolean isTick = nowNs == BEGINNING || Math.floorMod(nowNs, periodNs) == 0;
        if (wakeNs() < nowNs)
        {
            throw new IllegalStateException("passed over a tick, tickNs=" + wakeNs() + " nowNs=" + nowNs);
        }
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            waiting.add(in.row(i), in.isPlus(i));
        }
        if (isTick)
        {
            netting.net(waiting);
            for (int i = 0; i < netting.size(); i++)
            {
                delta().add(netting.row(i), netting.isPlus(i));
            }
            waiting.clear();
        }
        else if (waiting.size() >= netAt)
        {
            netWaiting();
        }
        wakeAt(waiting.size() == 0 ? NEVER : Ticks.up(nowNs, periodNs));
    }

    /** Changes that cancel each other do not wait for the tick: no more are kept than twice what differs. */
    private void netWaiting()
    {
        netting.net(waiting);
        for (int i = 0; i < netting.size(); i++)
        {
            spare.add(netting.row(i), netting.isPlus(i));
        }
        waiting.clear();
        final Delta empty = waiting;
        waiting = spare;
        spare = empty;
        netAt = Math.max(FEW, 2 * waiting.size());
    }

    @Override
    public long stateSize()
    {
        return waiting.size();
    }
}
