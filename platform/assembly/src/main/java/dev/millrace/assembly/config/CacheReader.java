package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPlaces;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/** Reads the settings of a cache. */
final class CacheReader
{
    private static final List<String> ALLOWED = List.of("name", "max-size", "eviction-policy", "time-to-live",
        "idle-time", "work-manager-name", "write-none", "write-through", "write-behind", "listeners");
    private static final List<String> POLICIES = List.of("FIFO", "LRU", "LFU", "NRU");

    private final Problems problems;
    private final ElementNames names;

    CacheReader(final Problems problems, final ElementNames names)
    {
        this.problems = problems;
        this.names = names;
    }

    /** Reads a cache; what it cannot have is refused. Gives its greatest number of entries or {@code null}. */
    Located maxSize(final Element cache)
    {
        final Map<String, Located> values = new HashMap<>();
        names.attributes(cache);
        names.noText(cache);
        for (final Element child : Elements.children(cache))
        {
            if (!names.known(cache, child, ALLOWED))
            {
                continue;
            }
            switch (child.getLocalName())
            {
                case "max-size" -> names.value(child, values);
                case "eviction-policy" -> evictionPolicy(child, values);
                case "time-to-live", "idle-time" -> refuse(child, "expiry of cache entries is",
                    "remove the element; entries stay until they are removed or the cache is full");
                case "work-manager-name" -> refuse(child, "work managers of caches are", "remove the element");
                case "write-behind" -> refuse(child, "writing behind is",
                    "use write-through: a cache with a wlevs:cache-store writes at once");
                case "listeners" -> refuse(child, "the setting listeners is",
                    "remove the element; wlevs:cache-listener in the assembly file hears of changes at once");
                default ->
                {
                    // The name has been read before; write-through is what a cache with a store does.
                }
            }
        }
        return values.get("max-size");
    }

    private void evictionPolicy(final Element element, final Map<String, Located> values)
    {
        names.value(element, values);
        final Located policy = Elements.text(element);
        if (!POLICIES.contains(policy.value()))
        {
            problems.add(AssemblyCode.BAD_VALUE, policy.position(), "unknown eviction policy, value=" + policy.value(),
                Suggestions.hint(policy.value(), "policies", POLICIES));
        }
        else if (!policy.value().equals("LRU"))
        {
            refuse(element, "the eviction policy " + policy.value() + " is",
                "write LRU or remove the element: a full cache drops its least recently used entry");
        }
    }

    private void refuse(final Element element, final String what, final String hint)
    {
        problems.add(AssemblyCode.NOT_AVAILABLE, XmlPlaces.of(element),
            what + " not available yet, element=" + element.getNodeName(), hint);
    }
}
