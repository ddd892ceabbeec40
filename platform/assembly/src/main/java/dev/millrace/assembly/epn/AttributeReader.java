package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Located;
import java.util.function.Function;

/** Reads numbers and boolean values of elements and attributes, and reports invalid ones. Not thread-safe. */
public final class AttributeReader
{
    /** Maximum number of consumer threads of a channel. */
    public static final int MAX_THREADS = 256;
    /** Maximum number of events a channel may hold. */
    public static final int MAX_SIZE_EVENTS = 1 << 24;

    private final Problems problems;
    private final Function<Located, String> resolver;

    /**
     * @param problems receives invalid values
     * @param resolver returns the final string of a value, {@code null} when it is not known yet
     */
    public AttributeReader(final Problems problems, final Function<Located, String> resolver)
    {
        this.problems = problems;
        this.resolver = resolver;
    }

    /** Checks the settings of a channel without using them. */
    public void check(final StageDeclaration channel)
    {
        truth("batching", channel.setting("batching"), false);
        truth("is-total-order", channel.setting("is-total-order"), false);
        number("max-threads", channel.setting("max-threads"), 0, 0, MAX_THREADS);
        number("max-size", channel.setting("max-size"), 0, 0, MAX_SIZE_EVENTS);
        rejectsWhenFull(channel.setting("when-full"));
        final Located relation = channel.setting("is-relation");
        final Located primaryKey = channel.setting("primary-key");
        final boolean isRelation = truth("is-relation", relation, false);
        final boolean known = relation == null || resolver.apply(relation) != null;
        if (isRelation && primaryKey == null)
        {
            problems.warn(relation.position(), "all properties together identify a row of the relation, because the " +
                "channel has no primary key; equal rows may occur several times, updates are rejected, channel=" +
                channel.id(), "add primary-key=\"...\" with the properties that identify a row");
        }
        relationOnly(channel, "silent", known && !isRelation);
        if (!relationOnly(channel, "update-semantics", known && !isRelation) && isRelation && primaryKey == null &&
            truth("update-semantics", channel.setting("update-semantics"), false))
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, channel.setting("update-semantics").position(),
                "update semantics need a primary key, channel=" + channel.id(),
                "add primary-key=\"...\": rows of one key become updates");
        }
        if (known && !isRelation && primaryKey != null)
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, primaryKey.position(),
                "only a relation channel has a primary key, channel=" + channel.id(),
                "add is-relation=\"true\" or remove primary-key");
        }
    }

    /** Whether a stream has a setting that is for relations only; reports a problem if it has. */
    private boolean relationOnly(final StageDeclaration channel, final String name, final boolean isStream)
    {
        final boolean isMisplaced = isStream && truth(name, channel.setting(name), false);
        if (isMisplaced)
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, channel.setting(name).position(),
                "only a relation channel can have this setting, channel=" + channel.id() + " setting=" + name,
                "add is-relation=\"true\" and primary-key=\"...\", or remove " + name);
        }
        return isMisplaced;
    }

    /**
     * Reads a boolean value.
     *
     * @param name   of the setting, for messages
     * @param value  as written, or {@code null}
     * @param absent result when nothing was written or the value is not known yet
     */
    public boolean truth(final String name, final Located value, final boolean absent)
    {
        final String text = value == null ? null : resolver.apply(value);
        if (text == null || text.equals("true") || text.equals("false"))
        {
            return text == null ? absent : text.equals("true");
        }
        problems.add(AssemblyErrorCode.BAD_VALUE, value.position(),
            "not true or false, setting=" + name + " value=" + text,
            "write true or false");
        return absent;
    }

    /**
     * Reads the handling of events that find the queue of a channel full.
     *
     * @param value as written, or {@code null}
     * @return true for {@code reject}, false for {@code block} and when nothing was written or the value is not known
     *     yet
     */
    public boolean rejectsWhenFull(final Located value)
    {
        final String text = value == null ? null : resolver.apply(value);
        if (text != null && !text.equals("block") && !text.equals("reject"))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, value.position(),
                "not block or reject, setting=when-full value=" +
                text, "write block, so that sources wait, or reject, so that rows are rejected and counted");
        }
        return "reject".equals(text);
    }

    /**
     * Reads a whole number.
     *
     * @param name   of the setting, for messages
     * @param value  as written, or {@code null}
     * @param absent result when nothing was written or the value is not known yet
     * @param least  minimum
     * @param most   maximum
     */
    public long number(final String name, final Located value, final long absent, final long least, final long most)
    {
        final String text = value == null ? null : resolver.apply(value);
        if (text == null)
        {
            return absent;
        }
        try
        {
            final long number = Long.parseLong(text.strip());
            if (number >= least && number <= most)
            {
                return number;
            }
        }
        catch (final NumberFormatException e)
        {
            // Reported below, like a number that is out of range.
        }
        problems.add(AssemblyErrorCode.BAD_VALUE, value.position(),
            "not a whole number from " + least + " to " + most + ", setting=" + name + " value=" + text,
            "write a number in that range");
        return absent;
    }
}
