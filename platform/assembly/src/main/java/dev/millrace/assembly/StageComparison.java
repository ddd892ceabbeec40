package dev.millrace.assembly;

import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.xml.Located;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.beans.factory.config.TypedStringValue;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Compares the objects of stages in the contexts of two versions of an application. An object may continue in the next
 * version if it has the same class and the same plain properties, and nothing ties it to its context. Immutable.
 */
public final class StageComparison
{
    private static final List<String> METHODS = List.of("activate-method", "suspend-method", "onevent-method");

    private final GenericApplicationContext before;
    private final GenericApplicationContext next;

    /**
     * Compares two versions.
     *
     * @param before context of the running version
     * @param next   context of the next version, refreshed
     */
    public StageComparison(final GenericApplicationContext before, final GenericApplicationContext next)
    {
        this.before = before;
        this.next = next;
    }

    /**
     * Returns why the object of a stage cannot continue in the next version.
     *
     * @param id of a stage that both versions have
     * @return fact in words; {@code null} when it can
     */
    public String obstacle(final String id)
    {
        if (!isSingleton(before, id) || !isSingleton(next, id))
        {
            return "it is not declared as one bean";
        }
        final Object object = before.getBean(id);
        final Class<?> type = object.getClass();
        final Class<?> later = next.getBean(id).getClass();
        if (type != later)
        {
            return type.getName().equals(later.getName()) ?
                "its class is part of the bundle, class=" + type.getName() :
                "it has a different class, before=" + type.getName() + " now=" + later.getName();
        }
        if (METHODS.stream().anyMatch(name -> setting(before, id, name) != null || setting(next, id, name) != null))
        {
            return "the assembly file names methods of its class";
        }
        if (!Objects.equals(setting(before, id, "provider"), setting(next, id, "provider")))
        {
            return "it has a different provider";
        }
        final String tie = tie(object, id);
        return tie != null ? tie : properties(id);
    }

    private static boolean isSingleton(final GenericApplicationContext context, final String id)
    {
        return context.containsBeanDefinition(id) && context.isSingleton(id);
    }

    private static String setting(final GenericApplicationContext context, final String id, final String name)
    {
        final StageDeclaration stage = EpnModel.of(context).stages().get(id);
        final Located setting = stage == null ? null : stage.setting(name);
        return setting == null ? null : context.getBeanFactory().resolveEmbeddedValue(setting.value());
    }

    /** The tie between the object and its context: other beans, or callbacks of the context. */
    private String tie(final Object object, final String id)
    {
        final DefaultListableBeanFactory factory = before.getDefaultListableBeanFactory();
        final BeanDefinition definition = factory.getMergedBeanDefinition(id);
        final List<String> used = Arrays.asList(factory.getDependenciesForBean(id));
        if (!used.isEmpty())
        {
            return "it uses other beans, beans=" + used;
        }
        if (object instanceof Aware)
        {
            return "it refers to its application context";
        }
        final boolean isEnded = object instanceof DisposableBean || object instanceof AutoCloseable ||
            definition instanceof AbstractBeanDefinition bean && bean.getDestroyMethodNames() != null ||
            factory.getBeanPostProcessors().stream().anyMatch(each ->
                each instanceof DestructionAwareBeanPostProcessor ending && ending.requiresDestruction(object));
        return isEnded ? "its application context closes it" : null;
    }

    private String properties(final String id)
    {
        final BeanDefinition definition = before.getBeanFactory().getMergedBeanDefinition(id);
        final BeanDefinition later = next.getBeanFactory().getMergedBeanDefinition(id);
        if (definition.hasConstructorArgumentValues() || later.hasConstructorArgumentValues())
        {
            return "it has constructor arguments";
        }
        final Map<String, String> values = new HashMap<>();
        final Map<String, String> laterValues = new HashMap<>();
        final String odd = Stream.of(read(definition, values), read(later, laterValues)).filter(Objects::nonNull)
            .findFirst().orElse(null);
        if (odd != null)
        {
            return "its property is not a plain string, property=" + odd;
        }
        return values.equals(laterValues) ? null : "its properties have changed";
    }

    /** The first property that is not a plain string, or null. */
    private static String read(final BeanDefinition definition, final Map<String, String> values)
    {
        for (final PropertyValue property : definition.getPropertyValues())
        {
            final Object value = property.getValue() instanceof TypedStringValue text ? text.getValue() :
                property.getValue();
            final boolean isPlain = value == null || value instanceof String text && !text.contains("#{");
            if (!isPlain)
            {
                return property.getName();
            }
            values.put(property.getName(), (String)value);
        }
        return null;
    }
}
