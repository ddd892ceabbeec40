package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;

/**
 * The end of a query: its changes become batches. A relation's are netted an instant, rows that leave first.
 *
 * <p>Threads: the engine's.
 */
public final class OutputOperator extends FlowOperator
{
    private final FlowOperator input;
    private final QueryOutput output;
    private final Netting netting;

    /**
     * Makes an operator.
     *
     * @param input  last step
     * @param output takes its rows
     */
    public OutputOperator(final FlowOperator input, final QueryOutput output)
    {
        super(input.store(), input);
        this.input = input;
        this.output = output;
        netting = output.isStream() ? null : new Netting(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        if (output.isStream())
        {
            for (int i = 0; i < in.size(); i++)
            {
                put(in.row(i), EventBatch.INSERT, nowNs);
            }
            return;
        }
        netting.net(in);
        for (int i = 0; i < netting.size(); i++)
        {
            if (!netting.isPlus(i))
            {
                put(netting.row(i), EventBatch.DELETE, nowNs);
            }
        }
        for (int i = 0; i < netting.size(); i++)
        {
            if (netting.isPlus(i))
            {
                put(netting.row(i), EventBatch.INSERT, nowNs);
            }
        }
    }

    private void put(final int row, final byte kind, final long nowNs)
    {
        final int to = output.row(nowNs, kind);
        try
        {
            BatchRows.write(store(), row, output.batch(), to);
        }
        catch (final RowRejectedException cause)
        {
            output.drop();
            reject(cause);
        }
    }

    /** Where its rows go. */
    QueryOutput output()
    {
        return output;
    }
}
