package dev.millrace.assembly.epn;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The allowed contents of an element. Filled while the vocabularies are loaded, unchanged afterwards. */
final class ElementSchema
{
    final String name;
    final Set<String> attributes = new LinkedHashSet<>();
    final Set<String> required = new LinkedHashSet<>();
    final Map<String, ElementSchema> children = new LinkedHashMap<>();
    /** Allowed children in Spring's namespace; {@code *} for all value elements. */
    final Set<String> springChildren = new LinkedHashSet<>();
    boolean text;
    boolean foreignChildren;
    /** Why the element is refused although it is known; {@code null} when it is accepted. */
    String refusal;
    /** The alternative, for messages. */
    String refusalHint = "";

    ElementSchema(final String name)
    {
        this.name = name;
    }

    ElementSchema attributes(final String... names)
    {
        attributes.addAll(Arrays.asList(names));
        return this;
    }

    ElementSchema required(final String... names)
    {
        required.addAll(Arrays.asList(names));
        return attributes(names);
    }

    ElementSchema children(final ElementSchema... rules)
    {
        for (final ElementSchema rule : rules)
        {
            children.put(rule.name, rule);
        }
        return this;
    }

    ElementSchema spring(final String... names)
    {
        springChildren.addAll(Arrays.asList(names));
        return this;
    }

    ElementSchema foreign()
    {
        foreignChildren = true;
        return this;
    }

    ElementSchema text()
    {
        text = true;
        return this;
    }

    ElementSchema refused(final String why, final String hint)
    {
        refusal = why;
        refusalHint = hint;
        return this;
    }
}
