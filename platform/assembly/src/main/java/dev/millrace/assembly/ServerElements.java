package dev.millrace.assembly;

import java.util.Objects;
import java.util.function.Function;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.xml.NamespaceHandler;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Reads elements of namespaces that only a server knows, references to services for example, outside of a server: each
 * element with an id becomes a bean, which is created when another bean refers to it. Stateless.
 */
public final class ServerElements implements NamespaceHandler
{
    private final Function<String, Object> objects;

    /**
     * @param objects creates the object of an element from its id; called on the thread that creates the beans
     */
    public ServerElements(final Function<String, Object> objects)
    {
        this.objects = Objects.requireNonNull(objects, "objects");
    }

    @Override
    public void init()
    {
        // Has no parsers.
    }

    @Override
    public BeanDefinition parse(final Element element, final ParserContext parser)
    {
        final String id = element.getAttribute("id");
        final RootBeanDefinition definition = new RootBeanDefinition(Object.class, () -> objects.apply(id));
        definition.setLazyInit(true);
        if (!id.isEmpty())
        {
            definition.setSource(parser.extractSource(element));
            parser.getRegistry().registerBeanDefinition(id, definition);
        }
        return definition;
    }

    @Override
    public BeanDefinitionHolder decorate(final Node source, final BeanDefinitionHolder definition,
        final ParserContext parser)
    {
        return definition;
    }
}
