package dev.millrace.assembly.epn;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.xml.NamespaceHandler;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Reads the elements of event processing networks in assembly files. Spring finds it by
 * {@code META-INF/spring.handlers}. Stateless: the results are stored in the {@link EpnModel} of the bean definitions.
 */
public final class EpnNamespaceHandler implements NamespaceHandler
{
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
        if (context.isNested())
        {
            // Stages as values of bean properties have been refused by the vocabulary check.
            return null;
        }
        switch (element.getLocalName())
        {
            case "event-type-repository" -> new EventTypeParser(model).parse(element);
            case "cache" -> new CacheParser(model, context).cache(element);
            case "table" -> new UserObjectParser(model, context).table(element);
            case "caching-system" -> new CacheParser(model, context).cachingSystem(element);
            default ->
            {
                // Everything else has been refused by the vocabulary check.
                if (StageParser.kind(element) != null)
                {
                    new StageParser(model, context).parse(element);
                }
            }
        }
        return null;
    }

    @Override
    public BeanDefinitionHolder decorate(
        final Node source, final BeanDefinitionHolder definition, final ParserContext context)
    {
        // Elements and attributes of this namespace on plain beans have been refused by the vocabulary check.
        return definition;
    }
}
