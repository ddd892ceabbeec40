package dev.millrace.cql.processor.durable.snapshot;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The content of the snapshot of a unit: named states. Each is written as
 *
 * <pre>
 *   length of the name (4) | name | length of the state (4) | state
 * </pre>
 *
 * <p>Not thread-safe.
 */
public final class SnapshotContent
{
    /** Limit for one state: that of an array. */
    public static final int MOST_BYTES = Integer.MAX_VALUE - 16;

    private final List<byte[]> parts = new ArrayList<>();

    public void add(final String name, final Consumer<StateOutput> writer)
    {
        final StateOutput to = new StateOutput(MOST_BYTES);
        writer.accept(to);
        final byte[] state = to.toBytes();
        final byte[] key = name.getBytes(StandardCharsets.UTF_8);
        parts.add(ByteBuffer.allocate(2 * Integer.BYTES + key.length).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(key.length).put(key).putInt(state.length).array());
        parts.add(state);
    }

    /** Everything that was added, in parts. */
    byte[][] parts()
    {
        return parts.toArray(byte[][]::new);
    }

    /** The number of bytes. */
    long sizeBytes()
    {
        return parts.stream().mapToLong(part -> part.length).sum();
    }

    /**
     * Reads the states of a snapshot.
     *
     * @throws StateException if the content has another form
     */
    static Map<String, StateInput> read(final byte[] content)
    {
        final Map<String, StateInput> states = new LinkedHashMap<>();
        final ByteBuffer from = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        try
        {
            while (from.hasRemaining())
            {
                final String name = new String(next(from), StandardCharsets.UTF_8);
                states.put(name, new StateInput(next(from)));
            }
            return states;
        }
        catch (final BufferUnderflowException | IllegalArgumentException e)
        {
            throw new StateException("the snapshot has an unknown form, bytes=" + content.length);
        }
    }

    private static byte[] next(final ByteBuffer from)
    {
        final int length = from.getInt();
        final int at = from.position();
        from.position(at + length);
        return Arrays.copyOfRange(from.array(), at, at + length);
    }
}
