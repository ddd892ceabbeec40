package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.List;
import java.util.Set;
import org.w3c.dom.Element;

/** Refuses settings that are known from Oracle Event Processing and are not supported yet. */
final class UnsupportedSettings
{
    private static final Set<String> PARTITIONER = Set.of("eventPartitioner", "partitionByEventProperty");

    private UnsupportedSettings()
    {
    }

    /** Refuses {@code advertise="true"}. */
    static void advertised(final EpnModel model, final Element element)
    {
        final Located advertise = Elements.attribute(element, "advertise");
        if (advertise == null || advertise.value().equals("false"))
        {
            return;
        }
        if (advertise.value().equals("true"))
        {
            model.problems().add(AssemblyErrorCode.NOT_AVAILABLE, advertise.position(),
                "sharing stages and caches with other applications is not available yet, element=" +
                    element.getNodeName() + " advertise=true",
                "remove the attribute and put related stages into one application");
        }
        else
        {
            model.problems().add(AssemblyErrorCode.BAD_VALUE, advertise.position(),
                "not true or false, attribute=advertise value=" + advertise.value(), "write true or false");
        }
    }

    /** A reference to a stage of another application is written {@code application:stage}. */
    static void foreign(final EpnModel model, final ElementReference link)
    {
        model.problems().add(AssemblyErrorCode.NOT_AVAILABLE, link.position(),
            "stages and caches of other applications cannot be used yet, ref=" + link.target(),
            "put related stages into one application");
    }

    /** Properties of channels select an event partitioner. */
    static void channelProperties(final EpnModel model, final Element channel)
    {
        for (final Element child : Elements.children(channel))
        {
            if (!child.getLocalName().equals("instance-property") && !child.getLocalName().equals("property"))
            {
                continue;
            }
            final Located name = Elements.attribute(child, "name");
            if (name != null && PARTITIONER.contains(name.value()))
            {
                model.problems().add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(child),
                    "the channel supports no event partitioner, channel property=" + name.value(),
                    "to partition rows across members write partition-by=\"PROPERTY\" at the channel; across threads " +
                        "of one instance ordering-constraint=\"PARTITION_ORDERED\" and partition-expression at the " +
                        "rules, and workers in the configuration of the processor");
            }
            else if (name != null)
            {
                model.problems().add(AssemblyErrorCode.UNKNOWN_PROPERTY, name.position(),
                    "a channel has no such property, property=" + name.value(),
                    Suggestions.hint(name.value(), "properties of channels", List.copyOf(PARTITIONER)));
            }
        }
    }
}
