package dev.millrace.cql.processor;

import dev.millrace.api.cartridge.CartridgeLink;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.processor.unit.PlanFingerprint;
import dev.millrace.network.definition.UserObjects;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Determines which functions, windows, Java classes and links of cartridges of plans have been replaced with others of
 * the same name. A query that uses one restarts, since its state may contain objects from the previous one. Not
 * thread-safe.
 */
final class ChangedUserObjects
{
    private final UserObjects before;
    private final UserObjects after;
    private final Set<String> functions = new LinkedHashSet<>();
    /** Names that refer to a different object now, in lower case. */
    private final Set<String> names = new LinkedHashSet<>();

    ChangedUserObjects(final UserObjects before, final UserObjects after)
    {
        this.before = before;
        this.after = after;
        if (before != after)
        {
            final Map<String, Object> old = byName(before);
            final Map<String, Object> now = byName(after);
            now.forEach((name, object) ->
            {
                if (old.get(name) != object)
                {
                    names.add(name);
                }
            });
            after.functions().forEach(function -> functions.add(function.name().toLowerCase(Locale.ROOT)));
        }
    }

    private static Map<String, Object> byName(final UserObjects objects)
    {
        final Map<String, Object> all = new HashMap<>();
        objects.windows().forEach(window -> all.put(window.name().toLowerCase(Locale.ROOT), window.factory()));
        objects.functions().forEach(function -> all.put(function.name().toLowerCase(Locale.ROOT), function.target()));
        return all;
    }

    /**
     * The replaced objects that the plan of one query uses.
     *
     * @return names as in rules; empty if nothing has changed
     */
    Set<String> usedBy(final Record plan)
    {
        final Set<String> used = new LinkedHashSet<>();
        if (before != after)
        {
            look(plan, used, Collections.newSetFromMap(new IdentityHashMap<>()));
        }
        return used;
    }

    private void look(final Object part, final Set<String> used, final Set<Object> seen)
    {
        if (part instanceof FunctionRef function)
        {
            if (function.handle() != null && isOther(function.name()))
            {
                used.add(function.name());
            }
        }
        else if (part instanceof String text && names.contains(text.toLowerCase(Locale.ROOT)))
        {
            used.add(text);
        }
        else if (part instanceof Record record && seen.add(record))
        {
            PlanFingerprint.parts(record).forEach(each -> look(each, used, seen));
        }
        else if (part instanceof Collection<?> many)
        {
            many.forEach(each -> look(each, used, seen));
        }
    }

    /** Members of values need no check: a value of a changed class comes from a call that is found separately. */
    private boolean isOther(final String function)
    {
        final String name = function.toLowerCase(Locale.ROOT);
        final int link = name.indexOf('@');
        return functions.contains(name) ? names.contains(name) :
            link > 0 ? isOtherLink(name.substring(link + 1)) : isOtherClass(function);
    }

    private boolean isOtherLink(final String name)
    {
        final CartridgeLink now = after.links().find(name);
        return now == null || !now.isSame(before.links().find(name));
    }

    private boolean isOtherClass(final String call)
    {
        final int dot = call.lastIndexOf('.');
        return dot != 0 && !call.startsWith("[") && (!Objects.equals(find(before, call), find(after, call)) ||
            dot > 0 && !Objects.equals(find(before, call.substring(0, dot)), find(after, call.substring(0, dot))));
    }

    private static Class<?> find(final UserObjects objects, final String name)
    {
        final Class<?> ofApplication = objects.classes().apply(name);
        return ofApplication == null ? objects.links().type(name) : ofApplication;
    }
}
