package dev.millrace.assembly;

import dev.millrace.assembly.xml.HardenedXml;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * The files of an application without rules and their bindings: two versions with equal frames differ only in rules and
 * in other contents of their bundles. Immutable.
 *
 * @param contents   assembly files, then configuration files without rules
 * @param properties values of placeholders
 */
public record ApplicationFrame(List<String> contents, Map<Object, Object> properties)
{
    /** Copies both. */
    public ApplicationFrame
    {
        contents = List.copyOf(contents);
        properties = Map.copyOf(properties);
    }

    /**
     * Reads the files.
     *
     * @param assembly      assembly files
     * @param configuration component configuration files; files of rules that were changed at run time are skipped
     * @param properties    values of placeholders
     * @return the frame; when a file cannot be read, a frame that equals no other
     */
    public static ApplicationFrame of(final List<ConfigurationResource> assembly,
        final List<ConfigurationResource> configuration, final Properties properties)
    {
        final List<String> contents = new ArrayList<>();
        try
        {
            for (final ConfigurationResource file : assembly)
            {
                contents.add(new String(bytes(file), StandardCharsets.UTF_8));
            }
            for (final ConfigurationResource file : configuration)
            {
                if (!file.name().startsWith(RuleFiles.FOLDER))
                {
                    final StringBuilder text = new StringBuilder();
                    append(text, HardenedXml.parse(file.name(), bytes(file)).getDocumentElement());
                    contents.add(text.toString());
                }
            }
        }
        catch (final IOException | DeploymentException e)
        {
            // Reported with all other problems when the files are parsed.
            return new ApplicationFrame(List.of(), Map.of("unreadable", e.toString()));
        }
        return new ApplicationFrame(contents, properties);
    }

    /**
     * Adds parts that are not in the files.
     *
     * @param further descriptions of them
     * @return a frame that also differs if these do
     */
    public ApplicationFrame with(final List<String> further)
    {
        final List<String> all = new ArrayList<>(contents);
        all.addAll(further);
        return new ApplicationFrame(all, properties);
    }

    private static byte[] bytes(final ConfigurationResource file) throws IOException
    {
        try (InputStream content = file.content().getInputStream())
        {
            return content.readAllBytes();
        }
    }

    private static void append(final StringBuilder text, final Element element)
    {
        text.append('<').append(element.getNamespaceURI()).append(' ').append(element.getLocalName());
        final Map<String, String> attributes = new TreeMap<>();
        for (int i = 0; i < element.getAttributes().getLength(); i++)
        {
            final Attr attribute = (Attr)element.getAttributes().item(i);
            if (!attribute.getName().startsWith("xmlns"))
            {
                attributes.put(attribute.getName(), attribute.getValue());
            }
        }
        text.append(attributes).append('>');
        final boolean isProcessor = "processor".equals(element.getLocalName());
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling())
        {
            if (child instanceof final Text words && !words.getData().isBlank())
            {
                text.append(words.getData().strip());
            }
            else if (child instanceof final Element inner && !(isProcessor && isRules(inner)))
            {
                append(text, inner);
            }
        }
        text.append("</>");
    }

    private static boolean isRules(final Element element)
    {
        return "rules".equals(element.getLocalName()) || "bindings".equals(element.getLocalName());
    }
}
