package dev.millrace.cql.runtime.state;

/** A structure with state. Used by the thread of its owner, between batches. */
public interface StateHolder
{
    /**
     * Writes its state.
     *
     * @throws StateException when some of the state cannot be written, or is too large
     */
    public void write(StateOutput to);

    /**
     * Restores what an instance of the same class has written. This one must be new.
     *
     * @throws StateException when the state is corrupt
     */
    public void read(StateInput from);
}
