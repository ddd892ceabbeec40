package dev.millrace.server.extender;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.xml.BeanDefinitionParser;
import org.springframework.beans.factory.xml.NamespaceHandlerSupport;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Element;

/** A namespace of a test bundle. */
public class GreetHandler extends NamespaceHandlerSupport
{
    @Override
    public void init()
    {
        registerBeanDefinitionParser("greet", new GreetParser());
    }

    /** Creates a bean of the class in {@code type}. */
    static final class GreetParser implements BeanDefinitionParser
    {
        @Override
        public BeanDefinition parse(final Element element, final ParserContext parser)
        {
            final RootBeanDefinition definition = new RootBeanDefinition();
            definition.setBeanClassName(element.getAttribute("type"));
            parser.getRegistry().registerBeanDefinition(element.getAttribute("id"), definition);
            return definition;
        }
    }
}
