package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;

/**
 * A function or window of a processor as written in an assembly file.
 *
 * @param name       name in rules
 * @param beanName   name of the bean that is used; if there is only a class, of the bean that is created for it
 * @param bean       the reference to a bean, or {@code null} when there is only a class
 * @param className  class, or {@code null} when there is a bean
 * @param execMethod method of a function that is called, or {@code null}
 * @param returnType CQL type of the method's result, or {@code null}
 * @param position   of the element
 */
public record UserObjectDeclaration(Located name, String beanName, ElementReference bean, Located className,
    Located execMethod,
    Located returnType, SourcePosition position)
{
}
