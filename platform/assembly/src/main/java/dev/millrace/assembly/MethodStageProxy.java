package dev.millrace.assembly;

import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.SuspendableBean;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Located;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.util.ClassUtils;

/**
 * Adds roles to a stage by method name: {@code activate-method}, {@code suspend-method} and {@code onevent-method} of
 * an assembly file. The stage is then wrapped in a proxy that has the roles of its class and the added ones; stages
 * without these attributes are used directly.
 */
final class MethodStageProxy
{
    private static final String ROLES_PACKAGE = StreamSink.class.getPackageName();

    private final Problems problems;

    MethodStageProxy(final Problems problems)
    {
        this.problems = problems;
    }

    Object apply(final StageDeclaration stage, final Object instance)
    {
        final Map<String, Method> byRole = new HashMap<>();
        final Set<Class<?>> roles = new LinkedHashSet<>();
        named(stage, instance, "activate-method", ActivatableBean.class, byRole, roles);
        named(stage, instance, "suspend-method", SuspendableBean.class, byRole, roles);
        named(stage, instance, "onevent-method", StreamSink.class, byRole, roles);
        if (roles.isEmpty())
        {
            return instance;
        }
        for (final Class<?> role : ClassUtils.getAllInterfacesForClassAsSet(instance.getClass()))
        {
            if (role.getPackageName().equals(ROLES_PACKAGE))
            {
                roles.add(role);
            }
        }
        return Proxy.newProxyInstance(
            StreamSink.class.getClassLoader(), roles.toArray(Class<?>[]::new), new Calls(instance, byRole));
    }

    private void named(final StageDeclaration stage, final Object instance, final String attribute,
        final Class<?> role, final Map<String, Method> byRole, final Set<Class<?>> roles)
    {
        final Located name = stage.setting(attribute);
        if (name == null)
        {
            return;
        }
        if (role.isInstance(instance))
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, name.position(), "the class already has this role, stage=" +
                stage.id() + " attribute=" + attribute + " interface=" + role.getSimpleName(), "remove the attribute");
            return;
        }
        final Method roleMethod = Arrays.stream(role.getMethods())
            .filter(method -> Modifier.isAbstract(method.getModifiers())).findFirst().orElseThrow();
        final int arguments = roleMethod.getParameterCount();
        final Method method = Arrays.stream(instance.getClass().getMethods())
            .filter(candidate -> candidate.getName().equals(name.value()) &&
                candidate.getParameterCount() == arguments && !candidate.isBridge()).findFirst().orElse(null);
        if (method == null)
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, name.position(), "the class has no such public method, stage=" +
                stage.id() + " class=" + instance.getClass().getName() + " method=" + name.value() + " arguments=" +
                arguments, "correct the name");
            return;
        }
        byRole.put(roleMethod.getName(), method);
        roles.add(role);
    }

    /** Forwards calls. */
    private record Calls(Object instance, Map<String, Method> byRole) implements InvocationHandler
    {
        @Override
        public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable
        {
            if (method.getName().equals("equals") && method.getDeclaringClass() == Object.class)
            {
                return proxy == arguments[0];
            }
            final Method named = method.getDeclaringClass().isInstance(instance) ? null : byRole.get(method.getName());
            try
            {
                return named == null ? method.invoke(instance, arguments) : named.invoke(instance, arguments);
            }
            catch (final InvocationTargetException e)
            {
                throw e.getCause();
            }
            catch (final IllegalArgumentException e)
            {
                throw new EventRejectedException("the method does not accept such events, method=" + named, e);
            }
        }
    }
}
