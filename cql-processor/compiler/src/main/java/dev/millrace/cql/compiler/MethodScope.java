package dev.millrace.cql.compiler;

import java.util.LinkedHashMap;
import java.util.Map;

/** The locals of a generated method: arrays fetched once at its start, on demand, and fresh names. */
final class MethodScope
{
    private final Map<String, String> declarations = new LinkedHashMap<>();
    private int next;

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
