package dev.millrace.assembly.cartridge;

import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.xml.NamespaceHandler;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * Reads the contexts of cartridges in assembly files: {@code context} of Millrace's namespace, whose attribute
 * {@code cartridge} names the cartridge, and {@code spatial:context} and {@code jdbc:jdbc-context} of Oracle Event
 * Processing. All other attributes are parameters. Spring finds it by {@code META-INF/spring.handlers}. Stateless.
 */
public final class CartridgeContextHandler implements NamespaceHandler
{
    /** The namespace of contexts of any cartridge. */
    public static final String NAMESPACE = "https://millrace.dev/ns/cartridge";

    private static final List<String> ELEMENTS = List.of("context", "jdbc-context");
    private static final String CARTRIDGE = "cartridge";

    @Override
    public void init()
    {
        // Nothing to prepare.
    }

    @Override
    public BeanDefinition parse(final Element element, final ParserContext context)
    {
        final EpnModel model = EpnModel.of(context.getRegistry());
        if (model == null)
        {
            context.getReaderContext().fatal("elements of " + element.getNamespaceURI() +
                " can be read by dev.millrace.assembly.AssemblyReader only", element);
            return null;
        }
        if (!ELEMENTS.contains(element.getLocalName()) || context.isNested() || !Elements.children(element).isEmpty())
        {
            model.problems().add(AssemblyErrorCode.UNKNOWN_ELEMENT, XmlPositions.of(element),
                "only empty elements context and jdbc-context, directly in beans, declare contexts of cartridges, " +
                "element=" + element.getNodeName(), Suggestions.hint(element.getLocalName(), "elements", ELEMENTS));
            return null;
        }
        declare(model, element);
        return null;
    }

    private static void declare(final EpnModel model, final Element element)
    {
        final boolean isNamed = NAMESPACE.equals(element.getNamespaceURI());
        final String namespace = element.getNamespaceURI();
        final Located cartridge = isNamed ? required(model, element, CARTRIDGE) :
            new Located(namespace.substring(namespace.lastIndexOf('/') + 1), XmlPositions.of(element));
        final Located id = required(model, element, "id");
        if (id != null && cartridge != null && model.claim(id.value(), id.position()))
        {
            final Map<String, Located> parameters = new LinkedHashMap<>();
            final NamedNodeMap attributes = element.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++)
            {
                final Attr attribute = (Attr)attributes.item(i);
                final boolean isParameter = attribute.getNamespaceURI() == null &&
                    !attribute.getName().equals("id") && !(isNamed && attribute.getName().equals(CARTRIDGE));
                if (isParameter)
                {
                    parameters.put(attribute.getName(), Elements.attribute(element, attribute.getName()));
                }
            }
            model.cartridgeContexts().put(id.value(),
                new EpnModel.CartridgeContext(id, cartridge, parameters, XmlPositions.of(element)));
        }
    }

    private static Located required(final EpnModel model, final Element element, final String attribute)
    {
        final Located value = Elements.attribute(element, attribute);
        if (value == null || value.value().isEmpty())
        {
            model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "missing attribute, element=" +
                element.getNodeName() + " attribute=" + attribute, "add " + attribute + "=\"...\"");
            return null;
        }
        return value;
    }

    @Override
    public BeanDefinitionHolder decorate(
        final Node source, final BeanDefinitionHolder definition, final ParserContext context)
    {
        context.getReaderContext().error("elements and attributes of " + source.getNamespaceURI() +
            " do not belong on beans", source);
        return definition;
    }
}
