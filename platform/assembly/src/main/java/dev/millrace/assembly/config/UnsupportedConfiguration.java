package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.List;
import org.w3c.dom.Element;

/** Refuses elements that the engine does not support, except where the file itself disables them. */
final class UnsupportedConfiguration
{
    private final Problems problems;

    UnsupportedConfiguration(final Problems problems)
    {
        this.problems = problems;
    }

    /** Checks a child that all components may have; those of stages that record are read before. */
    void common(final Element child)
    {
        switch (child.getLocalName())
        {
            case "trace-parameters" ->
            {
                if (!isFalse(child, "active"))
                {
                    refuse(child, "tracing of stages is", "set <active>false</active> or remove the element");
                }
            }
            case "record-parameters", "playback-parameters" -> problems.add(AssemblyErrorCode.NOT_AVAILABLE,
                XmlPositions.of(child), "no events leave a caching system, element=" + child.getNodeName(),
                "remove the element");
            default ->
            {
                // The name has already been read.
            }
        }
    }

    /** Profiles that are all disabled have no effect. */
    void diagnosticProfiles(final Element profiles)
    {
        for (final Element profile : Elements.children(profiles, "profile"))
        {
            if (!isFalse(profile, "enabled"))
            {
                refuse(profile, "diagnostic profiles are", "set <enabled>false</enabled> or remove the element; " +
                    "every stage already counts, see the statistics of the application");
            }
        }
    }

    private static boolean isFalse(final Element parent, final String name)
    {
        final List<Element> found = Elements.children(parent, name);
        return found.size() == 1 && Elements.text(found.get(0)).value().equals("false");
    }

    private void refuse(final Element element, final String what, final String hint)
    {
        problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(element),
            what + " not available yet, element=" + element.getNodeName(), hint);
    }
}
