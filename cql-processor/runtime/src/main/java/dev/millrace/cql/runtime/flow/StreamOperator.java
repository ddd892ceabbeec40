package dev.millrace.cql.runtime.flow;

/**
 * IStream and DStream: rows that enter, or leave, once the changes of the instant are netted; with DIFFERENCE USING
 * only those whose key is new, or is gone.
 *
 * <p>Threads: the engine's.
 */
public final class StreamOperator extends FlowOperator
{
    private final FlowOperator input;
    private final boolean entering;
    private final int[] difference;
    private final Netting netting;
    private final RowCounts keys;

    /**
     * Makes an operator.
     *
     * @param input      relation
     * @param entering   true for IStream, false for DStream
     * @param difference columns of DIFFERENCE USING, empty without
     */
    public StreamOperator(final FlowOperator input, final boolean entering, final int[] difference)
    {
        super(input.store(), input);
        this.input = input;
        this.entering = entering;
        this.difference = difference.clone();
        netting = new Netting(input.store());
        keys = difference.length == 0 ? null : new RowCounts(input.store(), difference);
    }

    @Override
    public boolean isStream()
    {
        return true;
    }

    @Override
    protected void process(final long nowNs)
    {
        netting.net(input.delta());
        // IStream compares with the relation before the instant, DStream with the one after it.
        if (keys != null && !entering)
        {
            countKeys();
        }
        for (int i = 0; i < netting.size(); i++)
        {
            if (netting.isPlus(i) == entering && (keys == null || keys.find(netting.row(i)) == RowIndex.NONE))
            {
                delta().add(netting.row(i), true);
            }
        }
        if (keys != null && entering)
        {
            countKeys();
        }
    }

    private void countKeys()
    {
        for (int i = 0; i < netting.size(); i++)
        {
            keys.change(netting.row(i), netting.isPlus(i) ? 1 : -1);
        }
        for (int i = 0; i < netting.size(); i++)
        {
            final int entry = keys.find(netting.row(i));
            if (entry != RowIndex.NONE && keys.count(entry) == 0)
            {
                keys.drop(entry);
            }
        }
    }

    @Override
    public long stateSize()
    {
        return keys == null ? 0 : keys.size();
    }
}
