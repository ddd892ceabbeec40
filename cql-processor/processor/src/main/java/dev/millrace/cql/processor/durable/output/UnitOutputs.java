package dev.millrace.cql.processor.durable.output;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The outputs of a unit and the numbers of their last rows, also of outputs that have ended. Confined to the thread
 * that starts the unit or changes its rules; {@link #isStored(Map)} is thread-safe while neither happens.
 */
public final class UnitOutputs
{
    private final List<NumberedOutput> outputs = new ArrayList<>();
    /** Number of the last row of each producer, also of those that have ended, when it was stored. */
    private final Map<String, Long> numbers = new HashMap<>();

    /** @param from numbers of a snapshot; {@code null} without one */
    public UnitOutputs(final StateInput from)
    {
        if (from != null)
        {
            for (int count = from.readCount(); count > 0; count--)
            {
                numbers.put(from.readString(), from.readLong());
            }
            from.end();
        }
    }

    /** Writes the numbers of outputs, by producer. */
    public static void write(final Map<String, Long> all, final StateOutput to)
    {
        to.writeCount(all.size());
        all.forEach((producer, number) ->
        {
            to.writeString(producer);
            to.writeLong(number);
        });
    }

    /** The outputs; the list changes with the rules. */
    public List<NumberedOutput> all()
    {
        return outputs;
    }

    /**
     * Adds outputs before the replay.
     *
     * @param added their names, the same after a restart
     */
    public void add(final Map<String, NumberedOutput> added)
    {
        added.forEach((producer, output) ->
        {
            output.restore(producer, numbers.getOrDefault(producer, 0L));
            outputs.add(output);
        });
    }

    public boolean has(final NumberedOutput output)
    {
        return outputs.contains(output);
    }

    /** Whether the stages below have stored rows up to these numbers, by producer, or do not store numbers. */
    public boolean isStored(final Map<String, Long> upTo)
    {
        return outputs.stream().allMatch(output -> output.isStored(upTo.get(output.producer())));
    }

    /** Whether the stages below have stored all rows, or do not store numbers. */
    public boolean isStored()
    {
        return outputs.stream().allMatch(output -> output.isStored(output.number()));
    }

    /** The replay begins: the stages below have started. */
    public void beginReplay()
    {
        outputs.forEach(NumberedOutput::beginReplay);
    }

    /** Passes on all rows from now on. */
    public void open()
    {
        outputs.forEach(NumberedOutput::open);
    }

    /** The numbers of the last rows of all outputs so far, by producer. */
    public Map<String, Long> numbers()
    {
        final Map<String, Long> all = new HashMap<>(numbers);
        outputs.forEach(output -> all.put(output.producer(), output.number()));
        return all;
    }

    /** Replaces the outputs by others with their names; those that are new begin to pass on rows. */
    public void exchange(final Map<String, NumberedOutput> named)
    {
        numbers.putAll(numbers());
        final List<NumberedOutput> known = List.copyOf(outputs);
        outputs.clear();
        named.forEach((producer, output) ->
        {
            if (!producer.equals(output.producer()))
            {
                output.restore(producer, numbers.getOrDefault(producer, 0L));
            }
            if (!known.contains(output))
            {
                output.open();
            }
            outputs.add(output);
        });
    }
}
