package dev.kvorum.simulation.mutants;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Another body for a production method, so that a rule inside it can be broken without a seam.
 * {@link PatchedClasses} loads the classes that have it. A patch that finds nothing to change
 * fails: after a change of the production code it would prove nothing.
 *
 * @param type binary name of the class, below {@code dev.kvorum}
 * @param method its method, with all overloads, and the lambdas in it where calls are changed
 * @param edit what becomes of it
 */
record Patch(String type, String method, Edit edit) {
  private static final String ROOT = "dev.kvorum.";

  /** A change of one method's code. */
  sealed interface Edit {
    /** The method does nothing but give this back; a void one nothing at all. */
    record Returning(Object constant) implements Edit {}

    /** In place of what a method called there gives, this; that one is not called. */
    record Answering(String called, Object constant) implements Edit {}

    /** A static method with the same arguments, the receiver first, is called instead. */
    record Redirecting(String called, Class<?> to, String name) implements Edit {}
  }

  /** A method does nothing. */
  static Patch skips(String type, String method) {
    return new Patch(ROOT + type, method, new Edit.Returning(Void.TYPE));
  }

  /** A method only returns a boolean, an int, a long or an enum's constant. */
  static Patch returns(String type, String method, Object constant) {
    return new Patch(ROOT + type, method, new Edit.Returning(constant));
  }

  /** In a method, all calls of another one come to a constant. */
  static Patch answers(String type, String method, String called, Object constant) {
    return new Patch(ROOT + type, method, new Edit.Answering(called, constant));
  }

  /** In a method, another one is not called. */
  static Patch omits(String type, String method, String called) {
    return new Patch(ROOT + type, method, new Edit.Answering(called, Void.TYPE));
  }

  /** In a method, a public static one is called in place of another one. */
  static Patch redirects(String type, String method, String called, Class<?> to, String name) {
    return new Patch(ROOT + type, method, new Edit.Redirecting(called, to, name));
  }

  /**
   * Changes a class.
   *
   * @throws IllegalStateException when there is nothing to change
   */
  byte[] applyTo(byte[] original, ClassLoader loader) {
    ClassFile files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(loader)
                    .orElse(ClassHierarchyResolver.ofClassLoading(loader))));
    ClassModel model = files.parse(original);
    AtomicInteger changes = new AtomicInteger();
    ClassTransform all =
        (builder, element) -> {
          if (element instanceof MethodModel found && isMeant(found)) {
            builder.transformMethod(found, transform(found, changes));
          } else {
            builder.with(element);
          }
        };
    byte[] changed = files.transformClass(model, all);
    if (changes.get() == 0) {
      throw new IllegalStateException("nothing to change for " + this);
    }
    return changed;
  }

  private boolean isMeant(MethodModel found) {
    String name = found.methodName().stringValue();
    boolean isLambda = name.startsWith("lambda$" + method + "$");
    return found.code().isPresent()
        && (name.equals(method) || (isLambda && !(edit instanceof Edit.Returning)));
  }

  private MethodTransform transform(MethodModel found, AtomicInteger changes) {
    return switch (edit) {
      case Edit.Returning(Object constant) ->
          (builder, element) -> {
            if (element instanceof CodeModel) {
              changes.incrementAndGet();
              ClassDesc type = found.methodTypeSymbol().returnType();
              builder.withCode(code -> {
                push(code, type, constant);
                code.return_(TypeKind.from(type));
              });
            } else {
              builder.with(element);
            }
          };
      case Edit.Answering(String called, Object constant) ->
          calls(
              called,
              changes,
              (code, call) -> {
                drop(code, call);
                push(code, call.typeSymbol().returnType(), constant);
              });
      case Edit.Redirecting(String called, Class<?> to, String name) ->
          calls(
              called,
              changes,
              (code, call) ->
                  code.invokestatic(ClassDesc.of(to.getName()), name, typeOf(to, name)));
    };
  }

  private interface Call {
    void replace(CodeBuilder code, InvokeInstruction call);
  }

  private static MethodTransform calls(String called, AtomicInteger changes, Call by) {
    CodeTransform each =
        (code, element) -> {
          if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
            changes.incrementAndGet();
            by.replace(code, call);
          } else {
            code.with(element);
          }
        };
    return MethodTransform.transformingCode(each);
  }

  /** As it is declared: a receiver may be no more than an object there. */
  private static MethodTypeDesc typeOf(Class<?> owner, String name) {
    return Stream.of(owner.getMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .map(method ->
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .describeConstable()
                .orElseThrow())
        .orElseThrow(() -> new IllegalStateException("no method " + name + " in " + owner));
  }

  /** Takes the arguments of a call, and its receiver, off the stack. */
  private static void drop(CodeBuilder code, InvokeInstruction call) {
    for (ClassDesc argument : call.typeSymbol().parameterList().reversed()) {
      if (TypeKind.from(argument).slotSize() == 2) {
        code.pop2();
      } else {
        code.pop();
      }
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      code.pop();
    }
  }

  private void push(CodeBuilder code, ClassDesc type, Object constant) {
    TypeKind kind = TypeKind.from(type);
    switch (constant) {
      case Class<?> nothing when kind == TypeKind.VOID && nothing == Void.TYPE -> {}
      case Boolean bool when kind == TypeKind.BOOLEAN -> code.loadConstant(bool ? 1 : 0);
      case Integer number when type.equals(CD_int) -> code.loadConstant(number);
      case Long number when type.equals(CD_long) -> code.loadConstant(number);
      case Enum<?> one when kind == TypeKind.REFERENCE -> {
        ClassDesc owner = ClassDesc.of(one.getDeclaringClass().getName());
        code.getstatic(owner, one.name(), owner);
      }
      default -> throw new IllegalStateException(constant + " is no " + type + " in " + this);
    }
  }
}
