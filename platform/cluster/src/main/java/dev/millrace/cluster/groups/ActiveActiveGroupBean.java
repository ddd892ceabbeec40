package dev.millrace.cluster.groups;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.NotificationGroup;
import dev.millrace.cluster.NotificationGroups;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Joins one notification group for each group of the server whose name matches a pattern, like the bean of the same
 * name in Oracle Event Processing. Members of such a group process the same input and know about each other.
 *
 * <pre>{@code
 *   <bean id="groups" class="dev.millrace.cluster.groups.ActiveActiveGroupBean">
 *     <property name="groupPattern" value="desk_\w+"/>
 *   </bean>
 * }</pre>
 *
 * <p>The application bundle imports {@code dev.millrace.cluster.groups}. On an instance without a cluster there are no
 * groups, which is logged.
 *
 * <p>Thread-safe after initialization by Spring. The groups are left when the application stops.
 */
public final class ActiveActiveGroupBean implements InitializingBean, DisposableBean
{
    /** The pattern used when none is set. */
    public static final String DEFAULT_GROUP_PATTERN = "ActiveActiveGroupBean_\\w+";

    private static final Logger LOG = LoggerFactory.getLogger(ActiveActiveGroupBean.class);

    private final List<NotificationGroup.Listener> listeners = new ArrayList<>();
    private String groupPattern = DEFAULT_GROUP_PATTERN;
    private Cluster cluster;
    private NotificationGroups notificationGroups;
    private volatile Map<String, NotificationGroup> groups = Map.of();

    /**
     * Sets the pattern that selects groups of the server.
     *
     * @param groupPattern regular expression that must match the whole name
     */
    public void setGroupPattern(final String groupPattern)
    {
        this.groupPattern = groupPattern;
    }

    /**
     * The pattern.
     *
     * @return as set, or {@link #DEFAULT_GROUP_PATTERN}
     */
    public String getGroupPattern()
    {
        return groupPattern;
    }

    /**
     * Sets the listeners for members that join and leave.
     *
     * @param listeners called for all groups
     */
    public void setListeners(final List<NotificationGroup.Listener> listeners)
    {
        this.listeners.clear();
        this.listeners.addAll(listeners);
    }

    /** Sets the cluster; otherwise the bean looks up the cluster service of the instance. */
    void use(final Cluster cluster, final NotificationGroups notificationGroups)
    {
        this.cluster = cluster;
        this.notificationGroups = notificationGroups;
    }

    /** Joins the groups. */
    @Override
    public void afterPropertiesSet()
    {
        final Matcher matcher = pattern().matcher("");
        if (cluster == null)
        {
            find();
        }
        if (cluster == null || notificationGroups == null)
        {
            LOG.info("CLU-0711 this instance is not in a cluster, no notification groups are created, groupPattern={}",
                groupPattern);
            return;
        }
        final Map<String, NotificationGroup> made = new TreeMap<>();
        for (final String name : cluster.view().self().groups())
        {
            if (matcher.reset(name).matches())
            {
                final NotificationGroup group = notificationGroups.join(name);
                listeners.forEach(group::addListener);
                made.put(name, group);
            }
        }
        groups = Collections.unmodifiableMap(made);
        LOG.info("CLU-0710 notification groups of this member, groups={} groupPattern={} groups of the server={}",
            made.keySet(), groupPattern, cluster.view().self().groups());
    }

    private Pattern pattern()
    {
        try
        {
            return Pattern.compile(groupPattern);
        }
        catch (final PatternSyntaxException e)
        {
            throw new IllegalArgumentException("not a regular expression, groupPattern=" + groupPattern + " reason=" +
                e.getDescription() + "; the default is " + DEFAULT_GROUP_PATTERN, e);
        }
    }

    private void find()
    {
        final Bundle bundle = FrameworkUtil.getBundle(ActiveActiveGroupBean.class);
        if (bundle != null)
        {
            use(service(bundle.getBundleContext(), Cluster.class),
                service(bundle.getBundleContext(), NotificationGroups.class));
        }
    }

    private static <T> T service(final BundleContext context, final Class<T> type)
    {
        final ServiceReference<T> reference = context.getServiceReference(type);
        return reference == null ? null : context.getService(reference);
    }

    /**
     * The groups that were joined.
     *
     * @return by name; empty when the instance is not in a cluster or none of its groups matches
     */
    public Map<String, NotificationGroup> getGroups()
    {
        return groups;
    }

    /**
     * Whether this member is the first of a group, that is, the one that acts for the group.
     *
     * @param group name
     * @return false also when the group does not exist or this member is fenced
     */
    public boolean isPrimary(final String group)
    {
        final NotificationGroup entered = groups.get(group);
        final List<Member> members = entered == null ? List.of() : entered.members();
        return !members.isEmpty() && members.get(0).id().equals(cluster.view().self().id()) && cluster.holdsLease();
    }

    /** Leaves the groups. */
    @Override
    public void destroy()
    {
        groups.values().forEach(NotificationGroup::close);
        groups = Map.of();
    }
}
