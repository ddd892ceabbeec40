package dev.millrace.embedded.application;

import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.xml.Located;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Objects that replace beans of an application. The properties that its files declare for these beans are not set.
 * Confined to the thread that starts the application.
 */
final class BeanReplacements implements InstantiationAwareBeanPostProcessor
{
    private final Map<String, Supplier<?>> objects = new LinkedHashMap<>();

    void add(final String bean, final Supplier<?> object)
    {
        objects.put(Objects.requireNonNull(bean, "bean"), object);
    }

    /**
     * Changes the definitions of the beans. Those of replaced stages may contain placeholders without values,
     * references to missing beans, and methods that the replacements lack.
     *
     * @param providers of adapters that are not replaced
     * @throws IllegalArgumentException if the application has no such bean
     */
    void apply(final GenericApplicationContext context, final Set<String> providers)
    {
        context.getBeanFactory().addBeanPostProcessor(this);
        for (final StageDeclaration stage : EpnModel.of(context).stages().values())
        {
            final Located provider = stage.setting("provider");
            if (provider != null && !provider.hasPlaceholder() && !providers.contains(provider.value()) &&
                context.containsBeanDefinition(stage.id()))
            {
                final AbstractBeanDefinition provided =
                    (AbstractBeanDefinition)context.getBeanDefinition(stage.id());
                provided.setPropertyValues(relevant(provided));
                provided.setEnforceInitMethod(false);
                provided.setEnforceDestroyMethod(false);
            }
        }
        objects.forEach((name, object) ->
        {
            if (!context.containsBeanDefinition(name))
            {
                throw new IllegalArgumentException("the application has no such bean, id=" + name + "; its beans are " +
                    names(context));
            }
            final BeanDefinition before = context.getBeanDefinition(name);
            final RootBeanDefinition replaced = new RootBeanDefinition(Object.class);
            replaced.setInstanceSupplier(object);
            replaced.setPropertyValues(relevant(before));
            replaced.setSource(before.getSource());
            replaced.setPrimary(before.isPrimary());
            context.removeBeanDefinition(name);
            context.registerBeanDefinition(name, replaced);
        });
    }

    /** The property that determines the event type of links without a channel. */
    private static MutablePropertyValues relevant(final BeanDefinition definition)
    {
        final MutablePropertyValues values = new MutablePropertyValues();
        final PropertyValue type = definition.getPropertyValues().getPropertyValue("eventTypeName");
        if (type != null)
        {
            values.addPropertyValue(type);
        }
        return values;
    }

    private static TreeSet<String> names(final GenericApplicationContext context)
    {
        final TreeSet<String> names = new TreeSet<>();
        for (final String name : context.getBeanDefinitionNames())
        {
            if (name.indexOf('.') < 0 && name.indexOf('#') < 0)
            {
                names.add(name);
            }
        }
        return names;
    }

    @Override
    public boolean postProcessAfterInstantiation(final Object bean, final String name)
    {
        return !objects.containsKey(name) && !(bean instanceof ReplacedStage);
    }
}
