package dev.millrace.cql.compiler.emit;

import java.util.LinkedHashMap;
import java.util.Map;

/** The locals of a generated method: arrays read once at its start, on demand, and unique names. */
public final class MethodScope
{
    private final Map<String, String> declarations = new LinkedHashMap<>();
    private final boolean batch;
    private int next;

    /** For a method over one row, which branches on each condition anyway. */
    public MethodScope()
    {
        this(false);
    }

    /** For a method over many rows, whose conditions must be branch-free. */
    public MethodScope(final boolean batch)
    {
        this.batch = batch;
    }

    boolean isBatch()
    {
        return batch;
    }

    /** A local that is initialized once at the start of the method. */
    public String local(final String name, final String type, final String init)
    {
        declarations.putIfAbsent(name, "final " + type + ' ' + name + " = " + init + ';');
        return name;
    }

    public String fresh(final String prefix)
    {
        next++;
        return prefix + next;
    }

    public void declare(final JavaText text)
    {
        declarations.values().forEach(text::line);
    }
}
