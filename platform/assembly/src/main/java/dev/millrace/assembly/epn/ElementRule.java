package dev.millrace.assembly.epn;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The allowed contents of an element. Filled while the vocabularies are loaded, unchanged afterwards. */
final class ElementRule
{
    final String name;
    final Set<String> attributes = new LinkedHashSet<>();
    final Set<String> required = new LinkedHashSet<>();
    final Map<String, ElementRule> children = new LinkedHashMap<>();
    /** Allowed children in Spring's namespace; {@code *} for all value elements. */
    final Set<String> springChildren = new LinkedHashSet<>();
    boolean text;
    boolean foreignChildren;
    /** Why the element is refused although it is known; {@code null} when it is accepted. */
    String refusal;
    /** The alternative, for messages. */
    String refusalHint = "";

    ElementRule(final String name)
    {
        this.name = name;
    }

    ElementRule attributes(final String... names)
    {
        attributes.addAll(Arrays.asList(names));
        return this;
    }

    ElementRule required(final String... names)
    {
        required.addAll(Arrays.asList(names));
        return attributes(names);
    }

    ElementRule children(final ElementRule... rules)
    {
        for (final ElementRule rule : rules)
        {
            children.put(rule.name, rule);
        }
        return this;
    }

    ElementRule spring(final String... names)
    {
        springChildren.addAll(Arrays.asList(names));
        return this;
    }

    ElementRule foreign()
    {
        foreignChildren = true;
        return this;
    }

    ElementRule text()
    {
        text = true;
        return this;
    }

    ElementRule refused(final String why, final String hint)
    {
        refusal = why;
        refusalHint = hint;
        return this;
    }
}
