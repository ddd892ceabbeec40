package dev.millrace.cql.runtime.state;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Layout of the state of a generated class, with a fingerprint. Immutable to callers, thread-safe. */
public final class StateSchema
{
    /** For a class without state that could be written. */
    public static final StateSchema NONE = new StateSchema("", List.of(), "", List.of());

    private final String name;
    private final List<StateField> fields;
    private final String text;
    private final List<Object> constants;
    /** {@code null} until it is needed. */
    private volatile Long fingerprint;

    /**
     * Describes a class.
     *
     * @param name      of what it computes, for messages
     * @param fields    in the order in which they are written
     * @param text      source text of the class
     * @param constants that its instances are created with; the fingerprint includes numbers, strings, records and
     *                  arrays of strings and longs by value, other constants by class
     */
    public StateSchema(
        final String name, final List<StateField> fields, final String text, final List<Object> constants)
    {
        this.name = name;
        this.fields = List.copyOf(fields);
        this.text = text;
        this.constants = new ArrayList<>(constants);
    }

    /** Name of what the class computes, for messages. */
    public String name()
    {
        return name;
    }

    List<StateField> fields()
    {
        return fields;
    }

    /** Writes name and fingerprint. */
    public void write(final StateOutput to)
    {
        to.writeString(name);
        to.writeLong(fingerprint());
    }

    /**
     * Checks that the following state was written by a class of this layout.
     *
     * @param from contains name and fingerprint
     * @throws StateException when it was not
     */
    public void check(final StateInput from)
    {
        final String written = from.readString();
        final long fingerprint = from.readLong();
        if (!name.equals(written) || fingerprint != fingerprint())
        {
            throw new StateException("state of another plan cannot be read, written=" + written + " here=" + name +
                (name.equals(written) ? ": the text of the query, its types or the engine differ" : ""));
        }
    }

    private static Object valueOf(final Object constant)
    {
        return constant instanceof final String[] values ? Arrays.toString(values) :
            constant instanceof final long[] values ? Arrays.toString(values) :
            constant instanceof Number || constant instanceof String || constant instanceof Record ? constant : "";
    }

    /** Computed on demand, once: most engines never write their state, others write it again and again. */
    private long fingerprint()
    {
        Long known = fingerprint;
        if (known == null)
        {
            known = computeFingerprint();
            fingerprint = known;
        }
        return known;
    }

    private long computeFingerprint()
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
