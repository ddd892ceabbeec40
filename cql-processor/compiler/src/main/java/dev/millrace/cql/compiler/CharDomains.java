package dev.millrace.cql.compiler;

import java.util.ArrayList;
import java.util.List;

/**
 * Which char values of a pipeline meet and so must be coded by one dictionary: classes of columns, found with
 * union-find, each with the places of the bindings where its dictionary can be had.
 */
final class CharDomains
{
    /** Not a char column, or a literal that takes the domain of what it meets. */
    static final int NONE = -1;

    private final List<Integer> parents = new ArrayList<>();

    int fresh()
    {
        parents.add(parents.size());
        return parents.size() - 1;
    }

    void join(final int left, final int right)
    {
        if (left != NONE && right != NONE)
        {
            parents.set(root(right), root(left));
        }
    }

    int root(final int node)
    {
        int current = node;
        while (parents.get(current) != current)
        {
            current = parents.get(current);
        }
        return current;
    }
}
