# shellcheck shell=bash
# Sourced by scripts that run at the root of the project.

# The directories of all modules, one a line.
maven_modules() {
  sed -n 's:.*<module>\(.*\)</module>.*:\1:p' pom.xml
}

# Maven with the JDK that app/bin/find-java finds, without the warnings of Maven's own libraries on a new JDK and without
# escape codes in files.
maven() { # argument …
  local java
  java=$(app/bin/find-java) || return
  command -v mvn >/dev/null || { echo "No Maven found: install one (apt, brew or sdkman install maven)." >&2; return 1; }
  JAVA_HOME=${java%/bin/java} \
    MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED -Djansi.noreset=true ${MAVEN_OPTS:-}" \
    mvn -B "$@"
}
