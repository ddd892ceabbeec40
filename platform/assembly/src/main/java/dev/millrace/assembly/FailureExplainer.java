package dev.millrace.assembly;

import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.Placeholder;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.UserFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.NotWritablePropertyException;
import org.springframework.beans.PropertyAccessException;
import org.springframework.beans.PropertyBatchUpdateException;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanDefinitionStoreException;
import org.springframework.beans.factory.CannotLoadBeanClassException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanReference;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Finds the position in the user's files that caused a failure of Spring, and describes the failure in the user's
 * terms.
 */
final class FailureExplainer
{
    private final GenericApplicationContext context;
    private final EpnModel model;
    private final GroupOverrides groups;

    FailureExplainer(final GenericApplicationContext context, final EpnModel model, final GroupOverrides groups)
    {
        this.context = context;
        this.model = model;
        this.groups = groups;
    }

    DeploymentException explain(final RuntimeException failure)
    {
        final Problems problems = model.problems();
        final List<Problem> found = new ArrayList<>();
        BeanDefinition definition = null;
        String beanName = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            final String name = beanName(cause);
            if (name != null && context.containsBeanDefinition(name))
            {
                beanName = name;
                definition = context.getBeanDefinition(name);
            }
            collect(cause, definition, beanName, found);
        }
        if (found.isEmpty())
        {
            final UserFault fault = new UserFault(failure, loader(definition));
            found.add(new Problem(AssemblyErrorCode.BEAN_FAILED.code(), position(definition), beanName == null ?
                "the application context failed, reason=" + fault.reason() :
                "the object could not be created, bean=" + beanName + " reason=" + fault.reason(),
                fault.hint("read the cause in the log of the server"), ""));
        }
        return new DeploymentException(found.stream().distinct().map(problems::withExcerpt).toList(), failure);
    }

    private static String beanName(final Throwable cause)
    {
        if (cause instanceof BeanCreationException creation)
        {
            return creation.getBeanName();
        }
        if (cause instanceof BeanDefinitionStoreException store)
        {
            return store.getBeanName();
        }
        return cause instanceof CannotLoadBeanClassException missing ? missing.getBeanName() : null;
    }

    private void collect(
        final Throwable cause, final BeanDefinition definition, final String beanName, final List<Problem> found)
    {
        if (cause instanceof PropertyBatchUpdateException batch)
        {
            for (final PropertyAccessException failed : batch.getPropertyAccessExceptions())
            {
                collect(failed, definition, beanName, found);
            }
        }
        else if (cause instanceof PropertyAccessException failed)
        {
            found.add(new Problem(AssemblyErrorCode.BAD_PROPERTY.code(), property(definition, failed.getPropertyName()),
                "the property cannot be set, bean=" + beanName + " property=" + failed.getPropertyName() + " value=" +
                    failed.getValue() + " reason=" + reason(deepest(failed)), "correct the value", ""));
        }
        else if (cause instanceof NotWritablePropertyException missing)
        {
            final String[] near = missing.getPossibleMatches();
            found.add(new Problem(AssemblyErrorCode.UNKNOWN_PROPERTY.code(),
                property(definition, missing.getPropertyName()), "no such property, bean=" + beanName +
                    " class=" + missing.getBeanClass().getName() + " property=" + missing.getPropertyName(),
                near == null || near.length == 0 ? "the class needs a public setter for it" :
                    Suggestions.hint(missing.getPropertyName(), "properties", Arrays.asList(near)), ""));
        }
        else if (cause instanceof PlaceholderResolutionException placeholder)
        {
            placeholder(placeholder, definition, beanName, found);
        }
        else if (cause instanceof CannotLoadBeanClassException missing)
        {
            final StageDeclaration stage = beanName == null ? null : model.stages().get(beanName);
            final Located beanClass = stage == null ? null : stage.setting("class");
            found.add(new Problem(AssemblyErrorCode.UNKNOWN_CLASS.code(),
                beanClass == null ? position(definition) : beanClass.position(),
                "the application cannot load the class, bean=" + missing.getBeanName() + " class=" +
                    missing.getBeanClassName() + reasonOfLoad(missing), hintOfLoad(missing), ""));
        }
        else if (cause instanceof NoSuchBeanDefinitionException missing && missing.getBeanName() != null)
        {
            found.add(new Problem(AssemblyErrorCode.DANGLING_REFERENCE.code(),
                reference(definition, missing.getBeanName()),
                "no such bean, bean=" + beanName + " ref=" + missing.getBeanName(),
                Suggestions.hint(missing.getBeanName(), "beans", Arrays.stream(context.getBeanDefinitionNames())
                    .filter(name -> name.indexOf('#') < 0 && name.indexOf('.') < 0).toList()), ""));
        }
    }

    private void placeholder(final PlaceholderResolutionException failure, final BeanDefinition definition,
        final String beanName, final List<Problem> found)
    {
        final String name = failure.getPlaceholder();
        for (final Placeholder written : model.placeholders())
        {
            final int at = written.text().value().indexOf("${" + name);
            if (at >= 0 && !groups.isGiven(written.adapter(), name))
            {
                final SourcePosition start = written.text().position();
                found.add(new Problem(AssemblyErrorCode.UNRESOLVED_PLACEHOLDER.code(),
                    new SourcePosition(start.file(), start.line(), start.column() + at),
                    "the placeholder has no value, name=" + name + groups.where(written.adapter(), name),
                    groups.hint(written.adapter(), name), ""));
            }
        }
        if (found.isEmpty())
        {
            found.add(new Problem(AssemblyErrorCode.UNRESOLVED_PLACEHOLDER.code(), position(definition),
                failure.getMessage() + groups.where(beanName, name), groups.hint(beanName, name), ""));
        }
    }

    /** A class that exists but cannot be linked has a reason other than its name. */
    private static String reasonOfLoad(final CannotLoadBeanClassException missing)
    {
        return missing.getCause() instanceof LinkageError ? " reason=" + deepest(missing) : "";
    }

    private static String hintOfLoad(final CannotLoadBeanClassException missing)
    {
        return missing.getCause() instanceof final LinkageError e ?
            new UserFault(e, null).hint("rebuild the class against the classes that it uses") :
            "correct the name; a class of another bundle needs an Import-Package";
    }

    /** Loader of a bean's class; null when it is not known. */
    private static ClassLoader loader(final BeanDefinition definition)
    {
        return definition instanceof final AbstractBeanDefinition bean && bean.hasBeanClass() ?
            bean.getBeanClass().getClassLoader() : null;
    }

    private static Throwable deepest(final Throwable failure)
    {
        Throwable deepest = failure;
        while (deepest.getCause() != null)
        {
            deepest = deepest.getCause();
        }
        return deepest;
    }

    private static String reason(final Throwable cause)
    {
        return cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
    }

    private static SourcePosition position(final BeanDefinition definition)
    {
        return definition != null && definition.getSource() instanceof SourcePosition position ?
            position : SourcePosition.NONE;
    }

    /** The position where a definition refers to a bean. */
    private static SourcePosition reference(final BeanDefinition definition, final String target)
    {
        if (definition != null)
        {
            for (final PropertyValue value : definition.getPropertyValues())
            {
                if (value.getValue() instanceof BeanReference reference && reference.getBeanName().equals(target) &&
                    value.getSource() instanceof SourcePosition position)
                {
                    return position;
                }
            }
        }
        return position(definition);
    }

    private static SourcePosition property(final BeanDefinition definition, final String propertyName)
    {
        if (definition != null && propertyName != null)
        {
            final PropertyValue value = definition.getPropertyValues().getPropertyValue(propertyName);
            if (value != null && value.getSource() instanceof SourcePosition position)
            {
                return position;
            }
        }
        return position(definition);
    }
}
