package dev.millrace.server.extender.osgi;

import org.springframework.beans.factory.xml.NamespaceHandlerSupport;

/** Handler of the namespace {@code http://www.springframework.org/schema/osgi}. Created by the extender. */
public final class OsgiNamespaceHandler extends NamespaceHandlerSupport
{
    @Override
    public void init()
    {
        registerBeanDefinitionParser("reference", new ReferenceParser(ServiceDependency.Kind.REFERENCE));
        registerBeanDefinitionParser("list", new ReferenceParser(ServiceDependency.Kind.LIST));
        registerBeanDefinitionParser("set", new ReferenceParser(ServiceDependency.Kind.SET));
        registerBeanDefinitionParser("service", new ServiceParser());
    }
}
