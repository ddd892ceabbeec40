package dev.millrace.cql.runtime.flow;

/** Progress of time on one input of an engine. Confined to the engine thread. */
interface InputWatermark
{
    /** No row of this time or before will arrive. */
    long closedNs();

    /** Whether others never wait for it. */
    boolean isSilent();

    /** Combined progress of all inputs: silent inputs count only when there are no others. */
    static long closedNs(final InputWatermark[] inputs)
    {
        if (inputs.length == 1)
        {
            return inputs[0].closedNs();
        }
        long closedNs = FlowTime.NEVER;
        long silentNs = FlowTime.BEGINNING;
        boolean areAllSilent = true;
        for (final InputWatermark input : inputs)
        {
            if (input.isSilent())
            {
                silentNs = Math.max(silentNs, input.closedNs());
            }
            else
            {
                areAllSilent = false;
                closedNs = Math.min(closedNs, input.closedNs());
            }
        }
        return areAllSilent ? silentNs : closedNs;
    }
}
