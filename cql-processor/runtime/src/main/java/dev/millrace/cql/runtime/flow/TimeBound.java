package dev.millrace.cql.runtime.flow;

/** What says how far time has come on one way into an engine. Threads: the engine's. */
interface TimeBound
{
    /** No row of this time or before will come any more. */
    long closedNs();

    /** Whether others never wait for it. */
    boolean isSilent();

    /** How far time has come on all ways together: silent ones count only where there are no others. */
    static long closedNs(final TimeBound[] inputs)
    {
        if (inputs.length == 1)
        {
            return inputs[0].closedNs();
        }
        long closedNs = FlowTime.NEVER;
        long silentNs = FlowTime.BEGINNING;
        boolean areAllSilent = true;
        for (final TimeBound input : inputs)
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
