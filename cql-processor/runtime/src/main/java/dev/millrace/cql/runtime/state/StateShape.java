package dev.millrace.cql.runtime.state;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the state of a generated class looks like, and by what it is known again. Immutable, safe for all threads.
 */
public final class StateShape
{
    /** Of a class that has nothing which could be written. */
    public static final StateShape NONE = new StateShape("", List.of(), "", List.of());

    private final String name;
    private final List<StateField> fields;
    private final String text;
    private final List<Object> constants;

    /**
     * Describes a class.
     *
     * @param name      of what it computes, for messages
     * @param fields    in the order in which they are written
     * @param text      of the class
     * @param constants that its instances are made with; numbers, strings, records and arrays of strings and longs
     *                  are part of the fingerprint by their value, others by their class
     */
    public StateShape(
        final String name, final List<StateField> fields, final String text, final List<Object> constants)
    {
        this.name = name;
        this.fields = List.copyOf(fields);
        this.text = text;
        this.constants = new ArrayList<>(constants);
    }

    /**
     * What the class computes.
     *
     * @return for messages
     */
    public String name()
    {
        return name;
    }

    /** Its fields. */
    List<StateField> fields()
    {
        return fields;
    }

    /**
     * Writes by what it is known again.
     *
     * @param to takes name and fingerprint
     */
    public void write(final StateOutput to)
    {
        to.writeString(name);
        to.writeLong(fingerprint());
    }

    /**
     * Checks that what follows was written by a class of this shape.
     *
     * @param from gives name and fingerprint
     * @throws StateException when it was not
     */
    public void check(final StateInput from)
    {
        final String written = from.readString();
        final long fingerprint = from.readLong();
        if (!name.equals(written) || fingerprint != fingerprint())
        {
            throw new StateException("state of another plan cannot be read, written=" + written + " here=" + name +
                (name.equals(written) ? ": the text of the query, its types or the engine are others" : ""));
        }
    }

    private static Object valueOf(final Object constant)
    {
        return constant instanceof final String[] values ? Arrays.toString(values) :
            constant instanceof final long[] values ? Arrays.toString(values) :
            constant instanceof Number || constant instanceof String || constant instanceof Record ? constant : "";
    }

    /** Computed when it is needed: most engines never write their state. */
    private long fingerprint()
    {
        final StringBuilder all = new StringBuilder(text);
        for (final Object each : constants)
        {
            all.append('\n');
            if (each != null && !each.getClass().isHidden())
            {
                all.append(each.getClass().getName()).append(' ').append(valueOf(each));
            }
        }
        try
        {
            final byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(all.toString().getBytes(StandardCharsets.UTF_8));
            return (long)StateOutput.LONG.get(digest, 0);
        }
        catch (final NoSuchAlgorithmException impossible)
        {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
