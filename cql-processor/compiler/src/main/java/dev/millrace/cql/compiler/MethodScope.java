package dev.millrace.cql.compiler;

import java.util.LinkedHashMap;
import java.util.Map;

/** The locals of a generated method: arrays fetched once at its start, on demand, and fresh names. */
final class MethodScope
{
    private final Map<String, String> declarations = new LinkedHashMap<>();
    private final boolean batch;
    private int next;

    /** For a method over one row, where the next step depends on each condition anyway. */
    MethodScope()
    {
        this(false);
    }

    /** For a method over many rows, conditions of which must not be jumps. */
    MethodScope(final boolean batch)
    {
        this.batch = batch;
    }

    boolean isBatch()
    {
        return batch;
    }

    /** A local that is set once at the start of the method. */
    String local(final String name, final String type, final String init)
    {
        declarations.putIfAbsent(name, "final " + type + ' ' + name + " = " + init + ';');
        return name;
    }

    String fresh(final String prefix)
    {
        next++;
        return prefix + next;
    }

    void declare(final JavaText text)
    {
        declarations.values().forEach(text::line);
    }
}
