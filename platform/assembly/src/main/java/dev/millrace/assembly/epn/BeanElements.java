package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.xml.ParserContext;
import org.springframework.util.StringUtils;
import org.w3c.dom.Element;

/** Reads Spring's {@code bean} and {@code ref} elements inside elements of event processing networks. */
final class BeanElements
{
    private final EpnModel model;
    private final ParserContext context;

    BeanElements(final EpnModel model, final ParserContext context)
    {
        this.model = model;
        this.context = context;
    }

    /** Reads the names of the beans that are created before the bean of an element. */
    static void dependsOn(final Element element, final AbstractBeanDefinition definition)
    {
        if (element.hasAttribute("depends-on"))
        {
            definition.setDependsOn(StringUtils.tokenizeToStringArray(element.getAttribute("depends-on"), ",; "));
        }
    }

    /**
     * Reads one element.
     *
     * @param element {@code bean} or {@code ref}
     * @param name    bean name when it has no id
     * @return link to the bean, {@code null} when a problem was reported
     */
    ElementReference parse(final Element element, final String name)
    {
        if (element.getLocalName().equals("ref"))
        {
            final Located bean = Elements.attribute(element, "bean");
            if (bean == null)
            {
                model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                    "missing attribute, element=" + element.getNodeName() + " attribute=bean", "add bean=\"...\"");
                return null;
            }
            return new ElementReference(bean.value(), bean.position(), false);
        }
        if (!element.getLocalName().equals("bean"))
        {
            return null;
        }
        final BeanDefinitionHolder holder = context.getDelegate().parseBeanDefinitionElement(element);
        if (holder == null || !model.claim(name, XmlPositions.of(element)))
        {
            return null;
        }
        final BeanDefinitionHolder decorated =
            context.getDelegate().decorateBeanDefinitionIfRequired(element, holder);
        context.getRegistry().registerBeanDefinition(name, decorated.getBeanDefinition());
        return new ElementReference(name, XmlPositions.of(element), true);
    }

    /**
     * Reads an element that has either the attribute {@code ref} or one nested bean.
     *
     * @param element for example {@code cache-loader}
     * @param name    bean name of a nested bean without id
     * @return link, {@code null} when a problem was reported
     */
    ElementReference referenceOrBean(final Element element, final String name)
    {
        final Located reference = Elements.attribute(element, "ref");
        final var nested = Elements.children(element);
        if ((reference == null ? 0 : 1) + nested.size() != 1)
        {
            model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "either the attribute ref or one " +
                "nested bean is required, element=" + element.getNodeName(), "add ref=\"...\"");
            return null;
        }
        if (reference != null)
        {
            return new ElementReference(reference.value(), reference.position(), false);
        }
        final Located id = Elements.attribute(nested.get(0), "id");
        return parse(nested.get(0), id == null ? name : id.value());
    }
}
