package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * The end of a region: the matches of its pattern become batches.
 *
 * <p>Threads: the engine's.
 */
public final class OutputOperator extends FlowOperator
{
    private final FlowOperator input;
    private final QueryOutput output;

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
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            put(in.row(i), nowNs);
        }
    }

    private void put(final int row, final long nowNs)
    {
        final int to = output.row(nowNs, EventBatch.INSERT);
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

    @Override
    protected void write(final StateOutput to)
    {
        // It keeps nothing.
    }

    @Override
    protected void read(final StateInput from)
    {
        // It keeps nothing.
    }
}
