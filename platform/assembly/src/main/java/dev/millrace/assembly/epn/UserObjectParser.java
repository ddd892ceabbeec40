package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.List;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Element;

/** Reads the objects that rules use by name: {@code function} and {@code window} of a processor, and {@code table}. */
final class UserObjectParser
{
    private final EpnModel model;
    private final ParserContext context;

    UserObjectParser(final EpnModel model, final ParserContext context)
    {
        this.model = model;
        this.context = context;
    }

    /** Reads functions and windows of a processor. */
    void objects(final Element processor, final StageDeclaration stage)
    {
        for (final Element child : Elements.children(processor, "function"))
        {
            final Located epl = Elements.attribute(child, "epl-name");
            final Located name = Elements.attribute(child, "function-name");
            if (epl != null && name != null)
            {
                model.problems().add(AssemblyErrorCode.CONTRADICTION, epl.position(),
                    "epl-name is the old name of function-name, processor=" + stage.id(), "remove epl-name");
            }
            add(stage, stage.functions(), child, name == null ? epl : name, "function");
        }
        for (final Element child : Elements.children(processor, "window"))
        {
            add(stage, stage.windows(), child, Elements.attribute(child, "window-name"), "window");
        }
    }

    private void add(final StageDeclaration stage, final List<UserObjectDeclaration> all, final Element element,
        final Located name, final String what)
    {
        if (name == null || name.value().isEmpty())
        {
            // A window without the attribute has been reported by the vocabulary check.
            if (what.equals("function") || name != null)
            {
                model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "a " + what +
                    " needs a name, element=" + element.getNodeName(), "add " + what + "-name=\"...\"");
            }
            return;
        }
        for (final UserObjectDeclaration other : all)
        {
            if (other.name().value().equalsIgnoreCase(name.value()))
            {
                model.problems().add(AssemblyErrorCode.DUPLICATE, name.position(), "the processor has two " + what +
                    "s of this name, name=" + name.value() + " first=" + other.name().position(),
                    what.equals("function") ? "give one of them another name, or make the methods overloads of one " +
                        "class" : "give one of them another name");
                return;
            }
        }
        final String beanName = stage.id() + '.' + what + '.' + name.value();
        final Located className = Elements.attribute(element, "class");
        ElementReference bean = null;
        if (className == null)
        {
            bean = new BeanElements(model, context).referenceOrBean(element, beanName);
        }
        else if (element.hasAttribute("ref") || !Elements.children(element).isEmpty())
        {
            model.problems().add(AssemblyErrorCode.CONTRADICTION, className.position(), "a " + what +
                " has either a class or a bean, name=" + name.value(), "remove one of them");
            return;
        }
        if (className != null || bean != null)
        {
            all.add(new UserObjectDeclaration(name, bean == null ? beanName : bean.target(), bean, className,
                Elements.attribute(element, "exec-method"), Elements.attribute(element, "return-type"),
                XmlPositions.of(element)));
        }
    }

    /** Reads a table; missing attributes have been reported by the vocabulary check. */
    void table(final Element element)
    {
        final Located id = Elements.attribute(element, "id");
        final Located eventType = Elements.attribute(element, "event-type");
        final Located dataSource = Elements.attribute(element, "data-source");
        if (id != null && eventType != null && dataSource != null && model.claim(id.value(), id.position()))
        {
            model.tables().put(id.value(), new TableDeclaration(id.value(), eventType, dataSource,
                Elements.attribute(element, "table-name"), XmlPositions.of(element)));
        }
    }
}
