package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.List;
import java.util.Set;
import org.w3c.dom.Element;

/** Settings known from Oracle Event Processing that have no effect, with a warning, or are refused. */
final class UnsupportedSettings
{
    /** Spring's lazy-init also has a default. */
    private static final Set<String> FLAGS = Set.of("true", "false", "default");
    private static final String OWN_PARTITIONER = "eventPartitioner";

    private UnsupportedSettings()
    {
    }

    /** Reads the attributes of a cache or caching system that have no effect here. */
    static void cache(final EpnModel model, final Element element)
    {
        final Located advertise = flag(model, element, StageDeclaration.ADVERTISE);
        if (advertise != null && advertise.value().equals("true"))
        {
            // An application that refers to it is refused.
            model.problems().warn(advertise.position(), "other applications cannot use the cache, element=" +
                element.getNodeName() + " id=" + element.getAttribute("id") + " advertise=true",
                "remove the attribute; send the rows to the other application through an advertised channel");
        }
        lazyInit(model, element);
    }

    /** Reads the attributes of a stage that have no effect here, and checks whether it is advertised. */
    static void stage(final EpnModel model, final Element element)
    {
        flag(model, element, StageDeclaration.ADVERTISE);
        lazyInit(model, element);
    }

    private static void lazyInit(final EpnModel model, final Element element)
    {
        final Located lazy = flag(model, element, "lazy-init");
        if (lazy != null && lazy.value().equals("true"))
        {
            model.problems().warn(lazy.position(), "stages and caches are created when the application is deployed" +
                ", element=" + element.getNodeName() + " id=" + element.getAttribute("id") + " lazy-init=true",
                "remove the attribute");
        }
        // All stages count, so that this has no effect.
        flag(model, element, "manageable");
    }

    private static Located flag(final EpnModel model, final Element element, final String name)
    {
        final Located value = Elements.attribute(element, name);
        if (value != null && !FLAGS.contains(value.value()))
        {
            model.problems().add(AssemblyErrorCode.BAD_VALUE, value.position(),
                "not true or false, attribute=" + name + " value=" + value.value(), "write true or false");
        }
        return value;
    }

    /** A reference to a cache or table of another application is written {@code application:cache}. */
    static void foreign(final EpnModel model, final ElementReference link, final String what)
    {
        model.problems().add(AssemblyErrorCode.NOT_AVAILABLE, link.position(),
            what + " of other applications cannot be used, ref=" + link.target(),
            "declare it in this application; only channels can take rows from another application, by source");
    }

    /** Reads the properties of a channel, which select an event partitioner. */
    static void channelProperties(final EpnModel model, final Element channel, final StageDeclaration stage)
    {
        for (final Element child : Elements.children(channel))
        {
            final Located name = child.getLocalName().equals("instance-property") ||
                child.getLocalName().equals("property") ? Elements.attribute(child, "name") : null;
            final Located value = Elements.attribute(child, "value");
            if (name == null)
            {
                continue;
            }
            if (name.value().equals(StageDeclaration.PARTITIONER) && value != null)
            {
                stage.setting(StageDeclaration.PARTITIONER, value);
            }
            else if (name.value().equals(StageDeclaration.PARTITIONER))
            {
                model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(child),
                    "missing attribute, element=" + child.getNodeName() + " attribute=value",
                    "name the property of the events");
            }
            else if (name.value().equals(OWN_PARTITIONER))
            {
                model.problems().add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(child),
                    "event partitioners of the application are not available, channel property=" + name.value(),
                    "partition by a property of the events: name=\"" + StageDeclaration.PARTITIONER + "\"");
            }
            else
            {
                model.problems().add(AssemblyErrorCode.UNKNOWN_PROPERTY, name.position(),
                    "a channel has no such property, property=" + name.value(),
                    Suggestions.hint(name.value(), "properties of channels", List.of(StageDeclaration.PARTITIONER)));
            }
        }
    }
}
