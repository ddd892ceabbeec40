package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * Names that expressions of a select block can use. The row for which they are evaluated contains the columns of the
 * sources one after another, each source followed by the time of its row.
 */
final class Scope
{
    static final String TIME = "element_time";

    private final List<Part> parts = new ArrayList<>();
    private int width;

    /** A source in FROM. */
    record Part(String alias, List<String> names, List<Type> types, boolean stream, int offset)
    {
    }

    /** Index and type of a column. */
    record Place(int index, Type type)
    {
    }

    void add(final String alias, final List<String> names, final List<Type> types, final boolean stream)
    {
        if (parts.stream().anyMatch(part -> part.alias().equals(alias)))
        {
            throw new InvalidStatementException("two sources named " + alias + ": use aliases");
        }
        parts.add(new Part(alias, names, types, stream, width));
        width += names.size() + 1;
    }

    void addAll(final Scope other)
    {
        other.parts.forEach(part -> add(part.alias(), part.names(), part.types(), part.stream()));
    }

    int width()
    {
        return width;
    }

    List<Part> parts()
    {
        return parts;
    }

    Place find(final String qualifier, final String name)
    {
        Place found = null;
        for (final Part part : parts)
        {
            if (qualifier != null && !qualifier.equals(part.alias()))
            {
                continue;
            }
            if (name.equals(TIME) && !part.names().contains(TIME))
            {
                if (!part.stream())
                {
                    throw new InvalidStatementException("ELEMENT_TIME on a relation");
                }
                found = one(found, new Place(part.offset() + part.names().size(), Type.BIGINT), name);
            }
            for (int i = 0; i < part.names().size(); i++)
            {
                if (part.names().get(i).equals(name))
                {
                    found = one(found, new Place(part.offset() + i, part.types().get(i)), name);
                }
            }
        }
        if (found == null)
        {
            throw new InvalidStatementException("unknown column " + (qualifier == null ? name :
                qualifier + "." + name));
        }
        return found;
    }

    private static Place one(final Place before, final Place now, final String name)
    {
        if (before != null)
        {
            throw new InvalidStatementException("ambiguous column " + name);
        }
        return now;
    }
}
